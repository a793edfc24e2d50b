import { makeKey } from '../accounts/make-key.ts'
import { databaseEnvironment, exitWithMessage, readVariables } from '../config.ts'
import { openDatabase } from '../store/database.ts'
import { reachDatabase } from '../store/reach-database.ts'

// Creates an API key of an account. Unlike a key that another key creates, it does not end with any other. Prints only the key to
// standard output.

try {
  const [accountId, name, ...more] = process.argv.slice(2)
  if (!accountId || accountId.startsWith('-') || !name || more.length > 0) {
    throw new Error('usage: new-key.js ACCOUNT NAME')
  }
  const { DATABASE_URL: url } = readVariables(databaseEnvironment)
  await reachDatabase({ DATABASE_URL: url })
  const db = openDatabase(url, 1)
  if (!(await db.account.findUnique({ where: { id: accountId } })))
    throw new Error(`no account has the id ${accountId}`)
  const { token } = await makeKey(db, { accountId, name })
  process.stdout.write(`${token}\n`)
  await db.$disconnect()
} catch (error) {
  exitWithMessage(error)
}
