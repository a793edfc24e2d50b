import { newId } from '../core/ids.ts'
import { billingMonth, type MicroUsd } from '../core/money.ts'
import type { Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { LedgerEntryModel } from '../db/generated/models.ts'
import { insertRows } from '../db/rows.ts'

export type LedgerEntry = LedgerEntryModel
export type LedgerKind = LedgerEntry['kind']

/** The part that free credits cover and the part that is billed. Never negative, except in an operator's adjustments: the entry's kind has the sign. */
export interface Amount {
  readonly credit: MicroUsd
  readonly billable: MicroUsd
}

export interface NewEntry {
  readonly accountId: string
  readonly jobId: string | null
  readonly kind: LedgerKind
  readonly step: string
  readonly amount: Amount
  /** The month of the hold that the entry belongs to; by default the current month. */
  readonly month?: string
  readonly endsHold?: boolean
  /** Why an operator writes it. */
  readonly reason?: string
}

interface Counters {
  readonly creditMicroUsd: MicroUsd
  readonly heldMicroUsd: MicroUsd
  readonly billedMicroUsd: MicroUsd
}

/** How an entry changes the account's counters. */
function effectOf({ kind, amount }: Pick<NewEntry, 'kind' | 'amount'>): Counters {
  const { credit, billable } = amount
  const total = credit + billable
  switch (kind) {
    case 'grant':
    case 'adjustment':
      return { creditMicroUsd: credit, heldMicroUsd: 0n, billedMicroUsd: billable }
    case 'hold':
      return { creditMicroUsd: -credit, heldMicroUsd: total, billedMicroUsd: 0n }
    case 'release':
      return { creditMicroUsd: credit, heldMicroUsd: -total, billedMicroUsd: 0n }
    case 'capture':
      return { creditMicroUsd: 0n, heldMicroUsd: -total, billedMicroUsd: billable }
    case 'payment':
      return { creditMicroUsd: 0n, heldMicroUsd: 0n, billedMicroUsd: -billable }
  }
}

/**
 * Statements that write entries of one account and update its counters, for the WITH of a statement; a trigger updates the
 * months. The caller holds the account's row lock.
 */
export function entriesSql(entries: readonly NewEntry[]): Prisma.Sql[] {
  const [first] = entries
  if (!first) return []
  const { creditMicroUsd, heldMicroUsd, billedMicroUsd } = entries.map(effectOf).reduce(plus)
  return [
    Prisma.sql`entries AS (${insertRows('ledger_entries', entries.map(rowOf))})`,
    Prisma.sql`counters AS (
      UPDATE accounts SET credit_micro_usd = credit_micro_usd + ${creditMicroUsd}::bigint,
        held_micro_usd = held_micro_usd + ${heldMicroUsd}::bigint,
        billed_micro_usd = billed_micro_usd + ${billedMicroUsd}::bigint
      WHERE id = ${first.accountId})`,
  ]
}

/** Writes the entry alone. The caller holds the account's row lock. */
export async function append(tx: Transaction, entry: NewEntry): Promise<void> {
  await tx.$executeRaw`WITH ${Prisma.join(entriesSql([entry]))} SELECT`
}

function rowOf({ accountId, jobId, kind, step, amount, month, endsHold, reason }: NewEntry) {
  return {
    id: newId('led'),
    accountId,
    jobId,
    kind,
    step,
    creditMicroUsd: amount.credit,
    billableMicroUsd: amount.billable,
    month: month ?? billingMonth(new Date()),
    endsHoldOf: endsHold ? jobId : null,
    reason: reason ?? null,
    createdAt: new Date(),
  } satisfies LedgerEntry
}

function plus(a: Counters, b: Counters): Counters {
  return {
    creditMicroUsd: a.creditMicroUsd + b.creditMicroUsd,
    heldMicroUsd: a.heldMicroUsd + b.heldMicroUsd,
    billedMicroUsd: a.billedMicroUsd + b.billedMicroUsd,
  }
}
