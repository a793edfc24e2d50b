import { ServiceError } from '../core/errors.ts'
import type { MicroUsd } from '../core/money.ts'
import type { Transaction } from '../store/database.ts'
import { lockAccount } from '../store/locks.ts'
import { type Amount, amountOf, append, type LedgerEntry } from './ledger.ts'

/** Held at create while the length of the media is not known: 0.02 USD. */
export const provisionalHoldMicroUsd: MicroUsd = 20_000n

const nothing: Amount = { credit: 0n, billable: 0n }

interface HoldInput {
  readonly accountId: string
  readonly jobId: string
  readonly amountMicroUsd: MicroUsd
  readonly step: 'create' | 'estimate'
}

/** Holds an amount. `billing_required` where the credits do not cover it. The caller holds the account's row lock. */
export async function placeHold(tx: Transaction, { accountId, jobId, amountMicroUsd, step }: HoldInput): Promise<void> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
  // Without active billing nothing past the credits can be held, so the billable part is 0.
  if (account.creditMicroUsd < amountMicroUsd) throw new ServiceError('billing_required')
  await append(tx, { accountId, jobId, kind: 'hold', step, amount: { credit: amountMicroUsd, billable: 0n } })
}

/** Raises or lowers a job's hold to its estimate. A step that runs again changes nothing. */
export async function fitHold(tx: Transaction, accountId: string, jobId: string, estimate: MicroUsd): Promise<void> {
  const entries = await tx.ledgerEntry.findMany({ where: { jobId } })
  if (entries.some((entry) => entry.step === 'estimate')) return
  const held = heldBy(entries)
  const change = estimate - held.credit - held.billable
  await lockAccount(tx, accountId)
  if (change > 0n) return placeHold(tx, { accountId, jobId, amountMicroUsd: change, step: 'estimate' })
  await append(tx, {
    accountId,
    jobId,
    kind: 'release',
    step: 'estimate',
    amount: part(held, -change),
    ...monthOf(entries),
  })
}

/** Ends a job's hold: captures up to `captureMicroUsd` of it, releases the rest, and returns what was captured. */
export async function endHold(
  tx: Transaction,
  accountId: string,
  jobId: string,
  captureMicroUsd: MicroUsd | null,
): Promise<MicroUsd> {
  const entries = await tx.ledgerEntry.findMany({ where: { jobId } })
  const held = heldBy(entries)
  const total = held.credit + held.billable
  const month = monthOf(entries)
  await lockAccount(tx, accountId)
  if (captureMicroUsd === null) {
    await append(tx, { accountId, jobId, kind: 'release', step: 'finish', amount: held, endsHold: true, ...month })
    return 0n
  }
  const captured = part(held, captureMicroUsd < total ? captureMicroUsd : total)
  const rest = { credit: held.credit - captured.credit, billable: held.billable - captured.billable }
  await append(tx, { accountId, jobId, kind: 'capture', step: 'finish', amount: captured, endsHold: true, ...month })
  if (rest.credit + rest.billable > 0n) {
    await append(tx, { accountId, jobId, kind: 'release', step: 'finish/rest', amount: rest, ...month })
  }
  return captured.credit + captured.billable
}

/** What a job holds, from its entries. */
function heldBy(entries: readonly LedgerEntry[]): Amount {
  return entries.reduce((held, entry) => {
    const { credit, billable } = amountOf(entry)
    if (entry.kind === 'hold') return { credit: held.credit + credit, billable: held.billable + billable }
    if (entry.kind === 'release' || entry.kind === 'capture') {
      return { credit: held.credit - credit, billable: held.billable - billable }
    }
    return held
  }, nothing)
}

/** The first `amount` of a held amount, credits before what is billed. */
function part(held: Amount, amount: MicroUsd): Amount {
  const credit = amount < held.credit ? amount : held.credit
  return { credit, billable: amount - credit }
}

/** The month is fixed at the hold: what ends it belongs to the same one. */
function monthOf(entries: readonly LedgerEntry[]): { month?: string } {
  const hold = entries.find((entry) => entry.kind === 'hold')
  return hold ? { month: hold.month } : {}
}
