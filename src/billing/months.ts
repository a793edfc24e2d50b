import type { MicroUsd } from '../core/money.ts'
import type { Database, Transaction } from '../db/database.ts'

/** The amounts that count against a month's cap, whether credits cover them or not. */
export interface MonthSpending {
  readonly captured: MicroUsd
  readonly held: MicroUsd
}

export async function spentInMonth(
  db: Database | Transaction,
  accountId: string,
  month: string,
): Promise<MonthSpending> {
  const sums = await db.accountMonth.findUnique({ where: { accountId_month: { accountId, month } } })
  if (!sums) return { captured: 0n, held: 0n }
  return {
    captured: sums.capturedCreditMicroUsd + sums.capturedBillableMicroUsd,
    held: sums.heldCreditMicroUsd + sums.heldBillableMicroUsd,
  }
}

/** The same for a key and all keys below it. */
export async function spentByKey(db: Database | Transaction, keyId: string, month: string): Promise<MonthSpending> {
  const sums = await db.keyMonth.findUnique({ where: { keyId_month: { keyId, month } } })
  return { captured: sums?.capturedMicroUsd ?? 0n, held: sums?.heldMicroUsd ?? 0n }
}
