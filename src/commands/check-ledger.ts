import { describeLedger } from '../billing/check-ledger.ts'
import { databaseEnvironment, exitWithMessage, readVariables } from '../config.ts'
import { openDatabase } from '../store/database.ts'
import { reachDatabase } from '../store/reach-database.ts'

// Checks the ledger against its rules and the jobs. Exits with 1 if anything breaks them.

try {
  const { DATABASE_URL: url } = readVariables(databaseEnvironment)
  await reachDatabase({ DATABASE_URL: url })
  const db = openDatabase(url, 1)
  const { isClean, lines } = await describeLedger(db)
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = isClean ? 0 : 1
  await db.$disconnect()
} catch (error) {
  exitWithMessage(error)
}
