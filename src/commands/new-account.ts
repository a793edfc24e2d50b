import { createKey } from '../accounts/keys.ts'
import { createAccount } from '../accounts/own-account.ts'
import { exitWithMessage } from '../config.ts'
import { helpIfAsked } from './help.ts'
import { runOnDatabase } from './run-on-database.ts'

// Creates an account, named by the argument, with its free credits. Its API key may raise limits, because nobody signs in to the account.
// Prints only the key to standard output.

const usage = 'usage: new-account.js NAME'
helpIfAsked(usage)

const [name, ...more] = process.argv.slice(2)
if (!name || name.startsWith('-') || more.length > 0) exitWithMessage(usage)

await runOnDatabase(async (db) => {
  const accountId = await createAccount(db, name)
  const { token } = await createKey(db, { accountId, name: 'first key', mayRaiseLimits: true })
  process.stderr.write(`account ${accountId}\n`)
  process.stdout.write(`${token}\n`)
})
