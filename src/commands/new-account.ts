import { createAccount } from '../billing/credits.ts'
import { configOrExit, exitWithMessage } from '../config.ts'
import { openDatabase } from '../store/database.ts'
import { createKey } from '../store/keys.ts'

// Makes an account, named by the argument, with its free credits. Prints an API key for it, and nothing else on standard output.

const config = configOrExit()
const db = openDatabase(config.DATABASE_URL, 1)
try {
  const accountId = await createAccount(db, process.argv[2] ?? 'account')
  const { token } = await createKey(db, { accountId, name: 'first key' })
  process.stderr.write(`account ${accountId}\n`)
  process.stdout.write(`${token}\n`)
} catch (error) {
  exitWithMessage(error)
} finally {
  await db.$disconnect()
}
