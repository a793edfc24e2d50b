import { type MicroUsd, toUsd } from '../core/money.ts'
import { addNotice } from '../notices/add-notice.ts'
import type { Transaction } from '../store/database.ts'
import type { AccountModel } from '../store/generated/models.ts'

export interface SpentInput {
  readonly accountId: string
  readonly account: Pick<AccountModel, 'monthlyCapMicroUsd' | 'alertPercents'>
  readonly month: string
  /** Only captured money counts: a hold may still be released, and the alert would be false. */
  readonly captured: MicroUsd
  /** What was captured when the percentages were compared before. Zero if the cap or the percentages are new. */
  readonly capturedBefore: MicroUsd
}

/** Sends the owner an alert for each percentage of the cap that was not spent before, once a month. The caller holds the account's row lock. */
export async function notifySpendThresholds(tx: Transaction, input: SpentInput): Promise<void> {
  const { accountId, account, month, captured, capturedBefore } = input
  const { monthlyCapMicroUsd: cap, alertPercents } = account
  if (cap === null) return
  const isReached = (amount: MicroUsd, percent: number) => amount > 0n && amount * 100n >= cap * BigInt(percent)
  for (const percent of alertPercents) {
    if (isReached(capturedBefore, percent) || !isReached(captured, percent)) continue
    await addNotice(tx, {
      accountId,
      kind: 'spend_alert',
      key: `${month}/${percent}`,
      data: { month, percent, spent_usd: toUsd(captured), cap_usd: toUsd(cap) },
    })
  }
}
