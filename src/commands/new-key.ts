import { makeKey } from '../accounts/make-key.ts'
import { exitWithMessage } from '../config.ts'
import { fromUsd, isUsd } from '../core/money.ts'
import { helpIfAsked } from './help.ts'
import { runOnDatabase } from './run-on-database.ts'

// Creates an API key of an account. Unlike a key that another key creates, it does not end with any other. With a monthly cap in dollars,
// it may raise neither that cap nor the account's; without one, it may raise every cap. Prints only the key to standard output.

const usage = 'usage: new-key.js ACCOUNT NAME [MONTHLY_CAP_USD]'
helpIfAsked(usage)

const [accountId, name, cap, ...more] = process.argv.slice(2)
const isAmount = cap === undefined || (cap !== '' && isUsd(Number(cap)))

if (!accountId || accountId.startsWith('-') || !name || !isAmount || more.length > 0) {
  exitWithMessage(usage)
}

await runOnDatabase(async (db) => {
  const monthlyCapMicroUsd = cap === undefined ? null : fromUsd(Number(cap))
  const account = await db.account.findUnique({ where: { id: accountId } })
  if (!account) throw new Error(`no account has the id ${accountId}`)
  if (account.deletedAt) throw new Error(`${accountId} is deleted`)
  if (account.suspendedAt) throw new Error(`${accountId} is suspended: resume it first`)
  const { token } = await makeKey(db, { accountId, name, monthlyCapMicroUsd, mayRaiseLimits: cap === undefined })
  process.stdout.write(`${token}\n`)
})
