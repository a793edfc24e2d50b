import { newId } from '../core/ids.ts'
import { type MicroUsd, toUsd } from '../core/money.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import { type Amount, append } from './ledger.ts'

/** Of credits, and of what is billed. More is taken for a slip, such as micro-dollars in place of dollars. Who means more writes several entries. */
const maxAddedMicroUsd: MicroUsd = 10_000_000_000n

export interface OperatorEntry {
  readonly accountId: string
  /** A grant adds credits. An adjustment corrects credits, or what is billed, up or down. */
  readonly kind: 'grant' | 'adjustment'
  readonly amount: Amount
  readonly reason: string
}

/** Writes what an operator grants or corrects. Throws if the account's credits, or what it owes, would be below zero, and for credits to a deleted account. */
export async function writeOperatorEntry(db: Database, { accountId, kind, amount, reason }: OperatorEntry) {
  const { credit, billable } = amount
  if (credit === 0n && billable === 0n) throw new Error('the amount must not be 0')
  if (kind === 'grant' && (credit < 0n || billable !== 0n)) throw new Error('a grant adds credits; use adjust')
  if (credit > maxAddedMicroUsd) throw new Error(`an entry adds at most ${toUsd(maxAddedMicroUsd)} USD of credits`)
  if (billable > maxAddedMicroUsd) throw new Error(`an entry bills at most ${toUsd(maxAddedMicroUsd)} USD`)
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
    if (account.deletedAt && credit > 0n) throw new Error(`${accountId} is deleted`)
    if (account.creditMicroUsd + credit < 0n) throw new Error('the account has fewer credits than that')
    if (account.billedMicroUsd + billable < 0n) throw new Error('the account owes less than that')
    await append(tx, { accountId, jobId: null, kind, step: `operator/${newId('led')}`, amount, reason })
  })
}

interface Payment {
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
