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
}

/** Sends the owner an alert, once for each month and percentage of the cap that is spent. The caller holds the account's row lock. */
export async function notifySpendThresholds(tx: Transaction, input: SpentInput): Promise<void> {
  const { accountId, account, month, captured } = input
  const { monthlyCapMicroUsd: cap, alertPercents } = account
  if (cap === null) return
  const reached = alertPercents.filter((percent) => captured > 0n && captured * 100n >= cap * BigInt(percent))
  for (const percent of reached) {
    await addNotice(tx, {
      accountId,
      kind: 'spend_alert',
      key: `${month}/${percent}`,
      data: { month, percent, spent_usd: toUsd(captured), cap_usd: toUsd(cap) },
    })
  }
}
