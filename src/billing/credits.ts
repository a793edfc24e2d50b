import { takeFromQuota } from '../accounts/quotas.ts'
import type { MicroUsd } from '../core/money.ts'
import { daySeconds } from '../core/time-code.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import { append } from './ledger.ts'

export interface FreeCreditsInput {
  readonly accountId: string
  /**
   * What is needed before: a mailbox of no erased account (`none`), a mailbox that had no credits yet (`mail`), or also active
   * billing (`payment_method`).
   */
  readonly proof: 'none' | 'mail' | 'payment_method'
  /** Hashes of the owner's mailbox, the one to store first. */
  readonly mailboxes: readonly [string, ...string[]]
  /** The network that the owner signs in from. */
  readonly network: string
  readonly grantsPerNetwork: number
}

/**
 * Grants the free credits to an account that its owner opened, once. Unless the proof is `none`, also only once per mailbox, and
 * `grantsPerNetwork` times a day per network: an owner whom this refuses gets them at a sign-in of another day.
 */
export async function grantFreeCredits(db: Database, input: FreeCreditsInput): Promise<void> {
  const { accountId, proof } = input
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    if (await tx.ledgerEntry.findFirst({ where: { accountId, step: 'sign-up' }, select: { id: true } })) return
    if (await tx.grantedMailbox.findFirst({ where: { hash: { in: [...input.mailboxes] } } })) return
    if (proof === 'none' || (await isProved(tx, input))) await grantCredits(tx, accountId)
  })
}

async function isProved(
  tx: Transaction,
  { accountId, proof, mailboxes, ...input }: FreeCreditsInput,
): Promise<boolean> {
  const { billingStatus } = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
  if (proof === 'payment_method' && billingStatus !== 'active') return false
  const quota = { subject: `grants ${input.network}`, limit: input.grantsPerNetwork, windowSeconds: daySeconds }
  if (!(await takeFromQuota(tx, quota)).fits) return false
  // Of two accounts of a mailbox, the second waits here for the first, and finds its row.
  const { count } = await tx.grantedMailbox.createMany({ data: [{ hash: mailboxes[0] }], skipDuplicates: true })
  return count > 0
}

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
