import { createAccount } from '../billing/credits.ts'
import { databaseEnvironment, exitWithMessage, readVariables } from '../config.ts'
import { openDatabase } from '../store/database.ts'
import { createKey } from '../store/keys.ts'
import { reachDatabase } from '../store/reach-database.ts'

// Creates an account, named by the argument, with its free credits. Its API key may raise limits, because nobody signs in to the account.
// Prints only the key to standard output.

try {
  const [name, ...more] = process.argv.slice(2)
  if (!name || name.startsWith('-') || more.length > 0) throw new Error('usage: new-account.js NAME')
  const { DATABASE_URL: url } = readVariables(databaseEnvironment)
  await reachDatabase({ DATABASE_URL: url })
  const db = openDatabase(url, 1)
  const accountId = await createAccount(db, name)
  const { token } = await createKey(db, { accountId, name: 'first key', mayRaiseLimits: true })
  process.stderr.write(`account ${accountId}\n`)
  process.stdout.write(`${token}\n`)
  await db.$disconnect()
} catch (error) {
  exitWithMessage(error)
}
