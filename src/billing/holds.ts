import { ServiceError } from '../core/errors.ts'
import { type MicroUsd, minMicroUsd, toUsd } from '../core/money.ts'
import type { Database } from '../store/database.ts'
import type { Job } from '../store/jobs.ts'
import { type Demand, type Funds, passGates, zeroAmount } from './hold-gates.ts'
import type { Amount, NewEntry } from './ledger.ts'
import { type HeldJob, type Payer, readSpending, type Spending } from './spending.ts'

// The rules of holds: from what a payer has and has spent, the entries of the next step. They read and write nothing, so that a
// step can write its entries with the rows that they belong to, in one statement.

/** The hold at create while the length of the media is unknown: 0.02 USD. To raise it, wait until no job is open: `coversEstimate` infers their holds. */
export const provisionalHoldMicroUsd: MicroUsd = 20_000n

export interface HoldBasis {
  readonly job: HeldJob
  readonly account: Funds
  readonly spending: Spending
}

/**
 * The entry that holds the maximum price in the current month, or the provisional amount while it is unknown. Throws `price_limit_reached` if it would exceed the limit of the run,
 * `spend_cap_reached` if it would exceed a monthly cap, `billing_required` if the credits do not cover it and billing is not active.
 */
export function holdEntry({ job, account, spending }: HoldBasis, maxPriceMicroUsd: MicroUsd | undefined): NewEntry {
  const amount = maxPriceMicroUsd ?? provisionalHoldMicroUsd
  const reason = maxPriceMicroUsd === undefined ? ' until the length of its media is known' : ''
  const demand = firstDemand(amount, `This job holds ${toUsd(amount)} USD${reason}`)
  return { ...whose(job, spending), kind: 'hold', step: 'create', amount: passGates(account, spending, demand) }
}

function firstDemand(amountMicroUsd: MicroUsd, text: string): Demand {
  return { amountMicroUsd, totalMicroUsd: amountMicroUsd, text, isRaise: false }
}

/**
 * The entries that raise or lower a job's hold to its estimate; a raise is refused like a hold, and an estimate above the job's own
 * limit with `price_limit_reached`. A repeated step writes none, and throws `media_unreachable` if the media that it finds costs
 * more than the hold.
 */
export function fitEntries({ job, account, spending }: HoldBasis, estimate: MicroUsd): NewEntry[] {
  const { hold, isFitted } = spending
  assertWithinLimit(job, estimate)
  const raise = estimate - sumOfParts(hold)
  if (isFitted) {
    if (raise > 0n) throw longerThanHeld()
    return []
  }
  // In the month of the hold, even if that is over: a job is charged, and counts against the cap, in one month.
  const common = { ...whose(job, spending), step: 'estimate' }
  if (raise > 0n) {
    const text = `This job needs ${toUsd(raise)} USD more than it holds`
    const demand = { amountMicroUsd: raise, totalMicroUsd: estimate, text, isRaise: true }
    return [{ ...common, kind: 'hold', amount: passGates(account, spending, demand) }]
  }
  return [{ ...common, kind: 'release', amount: minus(hold, atMost(hold, estimate)) }]
}

/** Whether the hold of an open job covers this estimate, so that fitting the hold raises nothing and is not refused. */
export function coversEstimate(
  { estimatedMicroUsd, limitMicroUsd }: Pick<Job, 'estimatedMicroUsd' | 'limitMicroUsd'>,
  estimate: MicroUsd,
): boolean {
  return (
    estimate <= (estimatedMicroUsd ?? provisionalHoldMicroUsd) && (limitMicroUsd === null || estimate <= limitMicroUsd)
  )
}

/** What an ended hold captured, and its entries. */
export interface EndedHold {
  readonly capturedMicroUsd: MicroUsd
  readonly entries: NewEntry[]
}

/** Ends a job's hold, after `fitted` entries: captures up to `captureMicroUsd` of it, and releases the rest. Null captures nothing. */
export function endHold(
  { job, spending }: Omit<HoldBasis, 'account'>,
  captureMicroUsd: MicroUsd | null,
  fitted: readonly NewEntry[] = [],
): EndedHold {
  const held = fitted.map(signedAmountOf).reduce(plus, spending.hold)
  const common = whose(job, spending)
  const end = { ...common, step: 'finish', endsHold: true }
  if (captureMicroUsd === null) return { capturedMicroUsd: 0n, entries: [{ ...end, kind: 'release', amount: held }] }
  const captured = atMost(held, captureMicroUsd)
  const rest = minus(held, captured)
  const entries: NewEntry[] = [{ ...end, kind: 'capture', amount: captured }]
  if (sumOfParts(rest) > 0n) entries.push({ ...common, kind: 'release', step: 'finish/rest', amount: rest })
  return { capturedMicroUsd: sumOfParts(captured), entries }
}

/** Throws what `holdEntry` would for a job outside a run. Holds nothing. */
export async function assertCanHold(db: Database, payer: Payer, amountMicroUsd: MicroUsd): Promise<void> {
  const account = await db.account.findUniqueOrThrow({ where: { id: payer.accountId } })
  const demand = firstDemand(amountMicroUsd, `A new job would hold ${toUsd(amountMicroUsd)} USD`)
  passGates(account, await readSpending(db, payer), demand)
}

/** The media may have become longer since the caller's request was planned. */
function assertWithinLimit({ limitMicroUsd }: HeldJob, estimate: MicroUsd): void {
  if (limitMicroUsd === undefined || limitMicroUsd === null || estimate <= limitMicroUsd) return
  throw new ServiceError(
    'price_limit_reached',
    'This job costs more than its max_price_usd. Start it again with a higher max_price_usd, or leave it out.',
  )
}

function whose({ accountId, jobId }: HeldJob, { month }: Spending) {
  return { accountId, jobId, month }
}

function longerThanHeld(): ServiceError {
  return new ServiceError(
    'media_unreachable',
    'The media URL served a longer file when it was read again. Use one that always serves the same, or upload the file.',
    { retryable: false },
  )
}

function signedAmountOf({ kind, amount }: NewEntry): Amount {
  return kind === 'hold' ? amount : minus(zeroAmount, amount)
}

/** Up to `amount` of the hold, credits first. */
function atMost(held: Amount, amount: MicroUsd): Amount {
  const credit = minMicroUsd(held.credit, amount)
  return { credit, billable: minMicroUsd(held.billable, amount - credit) }
}

function plus(a: Amount, b: Amount): Amount {
  return { credit: a.credit + b.credit, billable: a.billable + b.billable }
}

function minus(from: Amount, amount: Amount): Amount {
  return { credit: from.credit - amount.credit, billable: from.billable - amount.billable }
}

function sumOfParts({ credit, billable }: Amount): MicroUsd {
  return credit + billable
}
