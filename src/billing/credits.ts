import type { MicroUsd } from '../core/money.ts'
import type { Transaction } from '../store/database.ts'
import { append } from './ledger.ts'

/** The free credits of a new account: 5 USD. */
export const freeCreditsMicroUsd: MicroUsd = 5_000_000n

/** Writes the free credits of an account that has none yet. */
export async function grantCredits(tx: Transaction, accountId: string): Promise<void> {
  await append(tx, {
    accountId,
    jobId: null,
    kind: 'grant',
    step: 'sign-up',
    amount: { credit: freeCreditsMicroUsd, billable: 0n },
  })
}
