import type { MicroUsd } from '../core/money.ts'
import { type Database, lockAccount } from '../store/database.ts'
import { append } from './ledger.ts'

export interface Payment {
  readonly accountId: string
  /** The provider's name for it: a payment that is reported again is booked once. */
  readonly reference: string
  readonly amountMicroUsd: MicroUsd
}

/** Books money that came in for what was billed. */
export async function recordPayment(db: Database, { accountId, reference, amountMicroUsd }: Payment): Promise<void> {
  const step = `payment/${reference}`
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    if (await tx.ledgerEntry.findFirst({ where: { accountId, step, jobId: null } })) return
    const amount = { credit: 0n, billable: amountMicroUsd }
    await append(tx, { accountId, jobId: null, kind: 'payment', step, amount })
  })
}
