import { newId } from '../core/ids.ts'
import { billingMonth, type MicroUsd } from '../core/money.ts'
import type { Transaction } from '../store/database.ts'
import type { LedgerEntryModel } from '../store/generated/models.ts'

export type LedgerEntry = LedgerEntryModel
export type LedgerKind = LedgerEntry['kind']

/** The part that free credits cover and the part that is billed. Never negative: the entry's kind has the sign. */
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

/** Writes the entry and updates the account's counters; a trigger updates the month's. The caller holds the account's row lock. */
export async function append(tx: Transaction, entry: NewEntry): Promise<void> {
  const { accountId, jobId, kind, step, amount, month = billingMonth(new Date()), endsHold = false } = entry
  const effect = effectOf(entry)
  await tx.ledgerEntry.create({
    data: {
      id: newId('led'),
      accountId,
      jobId,
      kind,
      step,
      creditMicroUsd: amount.credit,
      billableMicroUsd: amount.billable,
      month,
      endsHoldOf: endsHold ? jobId : null,
      reason: entry.reason ?? null,
    },
  })
  await tx.account.update({
    where: { id: accountId },
    data: {
      creditMicroUsd: { increment: effect.creditMicroUsd },
      heldMicroUsd: { increment: effect.heldMicroUsd },
      billedMicroUsd: { increment: effect.billedMicroUsd },
    },
  })
}

export function amountOf(entry: Pick<LedgerEntry, 'creditMicroUsd' | 'billableMicroUsd'>): Amount {
  return { credit: entry.creditMicroUsd, billable: entry.billableMicroUsd }
}
