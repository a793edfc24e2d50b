import { describeLedger } from '../billing/check-ledger.ts'
import { helpIfAsked } from './help.ts'
import { runOnDatabase } from './run-on-database.ts'

// Checks the ledger against its rules and the jobs. Exits with 1 if anything breaks them.

helpIfAsked('usage: check-ledger.js')

await runOnDatabase(async (db) => {
  const { isClean, lines } = await describeLedger(db)
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = isClean ? 0 : 1
})
