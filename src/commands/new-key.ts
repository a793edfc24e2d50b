import { makeKey } from '../accounts/make-key.ts'
import { exitWithMessage } from '../config.ts'
import { fromUsd, isUsd } from '../core/money.ts'
import { assertAccount, runOnDatabase } from './run-on-database.ts'

// Creates an API key of an account. Unlike a key that another key creates, it does not end with any other. With a monthly cap in dollars,
// it may raise neither that cap nor the account's; without one, it may raise every cap. Prints only the key to standard output.

const [accountId, name, cap, ...more] = process.argv.slice(2)
const isAmount = cap === undefined || (cap !== '' && isUsd(Number(cap)))

if (!accountId || accountId.startsWith('-') || !name || !isAmount || more.length > 0) {
  exitWithMessage('usage: new-key.js ACCOUNT NAME [MONTHLY_CAP_USD]')
}

await runOnDatabase(async (db) => {
  const monthlyCapMicroUsd = cap === undefined ? null : fromUsd(Number(cap))
  await assertAccount(db, accountId)
  const { token } = await makeKey(db, { accountId, name, monthlyCapMicroUsd, mayRaiseLimits: cap === undefined })
  process.stdout.write(`${token}\n`)
})
