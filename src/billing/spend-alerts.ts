import { toUsd } from '../core/money.ts'
import { addNotice } from '../notices/add-notice.ts'
import type { Transaction } from '../store/database.ts'
import { spentInMonth } from './months.ts'

/**
 * Sends the owner an alert, once for each month and percentage of the cap that is spent. Only captured money counts: a
 * hold may still be released, and the alert would be false. The caller holds the account's row lock.
 */
export async function notifySpendThresholds(tx: Transaction, accountId: string, month: string): Promise<void> {
  const { monthlyCapMicroUsd: cap, alertPercents } = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
  if (cap === null || alertPercents.length === 0) return
  const { captured } = await spentInMonth(tx, accountId, month)
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
