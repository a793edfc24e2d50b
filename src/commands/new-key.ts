import { makeKey } from '../accounts/make-key.ts'
import { databaseEnvironment, exitWithMessage, readVariables } from '../config.ts'
import { fromUsd, isUsd } from '../core/money.ts'
import { openDatabase } from '../store/database.ts'
import { reachDatabase } from '../store/reach-database.ts'

// Creates an API key of an account. Unlike a key that another key creates, it does not end with any other. With a monthly cap in dollars,
// it may raise neither that cap nor the account's; without one, it may raise every cap. Prints only the key to standard output.

try {
  const [accountId, name, cap, ...more] = process.argv.slice(2)
  const isAmount = cap === undefined || (cap !== '' && isUsd(Number(cap)))
  if (!accountId || accountId.startsWith('-') || !name || !isAmount || more.length > 0) {
    throw new Error('usage: new-key.js ACCOUNT NAME [MONTHLY_CAP_USD]')
  }
  const monthlyCapMicroUsd = cap === undefined ? null : fromUsd(Number(cap))
  const { DATABASE_URL: url } = readVariables(databaseEnvironment)
  await reachDatabase({ DATABASE_URL: url })
  const db = openDatabase(url, 1)
  if (!(await db.account.findUnique({ where: { id: accountId } })))
    throw new Error(`no account has the id ${accountId}`)
  const { token } = await makeKey(db, { accountId, name, monthlyCapMicroUsd, mayRaiseLimits: cap === undefined })
  process.stdout.write(`${token}\n`)
  await db.$disconnect()
} catch (error) {
  exitWithMessage(error)
}
