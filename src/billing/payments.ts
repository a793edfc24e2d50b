import type { MicroUsd } from '../core/money.ts'
import { type Database, lockAccount, type Transaction } from '../store/database.ts'
import { append } from './ledger.ts'

export interface Payment {
  readonly accountId: string
  /** The provider's id of the payment: a payment that is reported twice is recorded once. */
  readonly reference: string
  readonly amountMicroUsd: MicroUsd
}

/** Records a payment of billed amounts. */
export async function recordPayment(db: Database, payment: Payment): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, payment.accountId)
    await recordPaymentIn(tx, payment)
  })
}

/** The same in a transaction of the caller, which holds the account's row lock. */
export async function recordPaymentIn(
  tx: Transaction,
  { accountId, reference, amountMicroUsd }: Payment,
): Promise<void> {
  const step = `payment/${reference}`
  if (await tx.ledgerEntry.findFirst({ where: { accountId, step, jobId: null } })) return
  const amount = { credit: 0n, billable: amountMicroUsd }
  await append(tx, { accountId, jobId: null, kind: 'payment', step, amount })
}
