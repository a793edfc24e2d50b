import { ServiceError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type MicroUsd, maxMicroUsd, minMicroUsd, toUsd } from '../core/money.ts'
import type { AccountStanding, Database } from '../db/database.ts'
import type { Job } from '../jobs/job-rows.ts'
import type { Amount, NewEntry } from './ledger.ts'
import { type HeldJob, type Payer, readSpending, type Spending } from './spending.ts'

// The rules of holds: from what a payer has and has spent, the entries of the next step. They write nothing, so that a
// step can write its entries with the rows that they belong to, in one statement.

/** The hold at create while the length of the media is unknown: 0.02 USD. To raise it, wait until no job is open: `coversEstimate` infers their holds. */
export const provisionalHoldMicroUsd: MicroUsd = 20_000n

export interface HoldBasis {
  readonly job: HeldJob
  readonly account: Funds
  readonly spending: Spending
}

/**
 * The entry that holds the maximum price in the current month, or the provisional amount while it is unknown. Throws `price_limit_reached` if it would exceed the limit of the job or its run,
 * `spend_cap_reached` if it would exceed a monthly cap, `billing_required` if the credits do not cover it and billing is not active.
 */
export function holdEntry({ job, account, spending }: HoldBasis, maxPriceMicroUsd: MicroUsd | undefined): NewEntry {
  if (maxPriceMicroUsd !== undefined) assertWithinLimit(job, maxPriceMicroUsd)
  const amount = maxPriceMicroUsd ?? provisionalHoldMicroUsd
  const reason = maxPriceMicroUsd === undefined ? ' until the length of its media is known' : ''
  const demand = firstDemand(amount, `This job holds ${toUsd(amount)} USD${reason}`)
  return {
    ...whose(job, spending),
    kind: 'hold',
    step: 'create',
    amount: passGates(account, spending, demand, job.keyId),
  }
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
    return [{ ...common, kind: 'hold', amount: passGates(account, spending, demand, job.keyId) }]
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
interface EndedHold {
  readonly capturedMicroUsd: MicroUsd
  readonly entries: NewEntry[]
}

/**
 * Ends a job's hold, after `fitted` entries: captures up to `captureMicroUsd` of it, within the job's own limit, and releases the rest.
 * Null captures nothing.
 */
export function endHold(
  { job, spending }: Omit<HoldBasis, 'account'>,
  captureMicroUsd: MicroUsd | null,
  fitted: readonly NewEntry[] = [],
): EndedHold {
  const held = fitted.map(signedAmountOf).reduce(plus, spending.hold)
  const common = whose(job, spending)
  const end = { ...common, step: 'finish', endsHold: true }
  if (captureMicroUsd === null) return { capturedMicroUsd: 0n, entries: [{ ...end, kind: 'release', amount: held }] }
  const captured = atMost(held, minMicroUsd(captureMicroUsd, job.limitMicroUsd ?? captureMicroUsd))
  const rest = minus(held, captured)
  const entries: NewEntry[] = [{ ...end, kind: 'capture', amount: captured }]
  if (sumOfParts(rest) > 0n) entries.push({ ...common, kind: 'release', step: 'finish/rest', amount: rest })
  return { capturedMicroUsd: sumOfParts(captured), entries }
}

/** Throws what `holdEntry` would for a job outside a run. Holds nothing. */
export async function assertCanHold(db: Database, payer: Payer, amountMicroUsd: MicroUsd): Promise<void> {
  const account = await db.account.findUniqueOrThrow({ where: { id: payer.accountId } })
  const demand = firstDemand(amountMicroUsd, `A new job would hold ${toUsd(amountMicroUsd)} USD`)
  passGates(account, await readSpending(db, payer), demand, payer.keyId)
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

/** What a payer's account can hold. */
type Funds = Pick<AccountStanding, 'creditMicroUsd' | 'monthlyCapMicroUsd' | 'billingStatus'>

/** What a hold, or the raise of one, demands of the gates. */
interface Demand {
  readonly amountMicroUsd: MicroUsd
  /** With what the job holds already. */
  readonly totalMicroUsd: MicroUsd
  /** What is demanded, for the message of a refusal. */
  readonly text: string
  readonly isRaise: boolean
}

const zeroAmount: Amount = { credit: 0n, billable: 0n }

/**
 * The gates before a hold, in order: limit of the run, caps of keys, cap of the account, free credits, active billing. Returns what the
 * credits cover and what is billed. Free jobs pass all of them.
 */
function passGates(account: Funds, spending: Spending, demand: Demand, keyId: string | null): Amount {
  const { amountMicroUsd } = demand
  if (amountMicroUsd === 0n) return zeroAmount
  assertWithinRun(spending, demand, keyId)
  assertWithinKeyCaps(spending, demand, keyId)
  assertWithinCap(account, spending, demand)
  const credit = minMicroUsd(account.creditMicroUsd, amountMicroUsd)
  const billable = amountMicroUsd - credit
  if (billable > 0n && account.billingStatus !== 'active') throw new ServiceError('billing_required')
  return { credit, billable }
}

function assertWithinRun({ leftOfRun }: Spending, demand: Demand, keyId: string | null): void {
  const { amountMicroUsd, totalMicroUsd, isRaise } = demand
  if (leftOfRun === null || amountMicroUsd <= leftOfRun) return
  const { raisePrice } = namedWork(keyId)
  if (raisePrice) {
    const most = usdLeft(leftOfRun + totalMicroUsd - amountMicroUsd)
    const message = `It can cost ${toUsd(totalMicroUsd)} USD, more than the ${most} USD that are left of max_price_usd. ${raisePrice}`
    throw new ServiceError('price_limit_reached', message)
  }
  const amount = toUsd(amountMicroUsd)
  const left = `and ${usdLeft(leftOfRun)} USD of the run's max_price_usd is left`
  // A step holds its maximum for the length that the run was planned for.
  const message = isRaise
    ? `The media is longer than planned: this step needs ${amount} USD more than it holds, ${left}. Start the run again without media_seconds.`
    : `This step can cost ${amount} USD, ${left}. Start the run again with a higher max_price_usd, or create its next jobs yourself from the jobs of its completed steps.`
  throw new ServiceError('price_limit_reached', message)
}

/** What a key spends counts for the keys that created it, so that no cap is escaped by creating keys. */
function assertWithinKeyCaps(
  { leftOfKey, leftOfParentKeys, leastKeyCap }: Spending,
  { amountMicroUsd, totalMicroUsd, text }: Demand,
  keyId: string | null,
): void {
  const isReached = (left: MicroUsd | null) => left !== null && amountMicroUsd > left
  if (!isReached(leftOfKey) && !isReached(leftOfParentKeys)) return
  const { cap, raise } = namedWork(keyId)
  const isOwn = leftOfKey !== null && isReached(leftOfKey)
  const left = isOwn
    ? `${usdLeft(leftOfKey)} USD of ${cap} is left`
    : 'less of the monthly cap of the credential that created this one is left'
  const canWait = orWait(leastKeyCap, totalMicroUsd)
  const advice = isOwn && raise ? raise : `Ask the owner of the account to raise it${canWait}.`
  throw new ServiceError('spend_cap_reached', `${text}, and ${left}. ${advice}`)
}

interface NamedWork {
  readonly cap: string
  readonly raise?: string
  /** Where the maximum price of its runs is not that of a request for one run. */
  readonly raisePrice?: string
}

/** What callers know the limits of a key as: batches and directives have keys of their own. */
function namedWork(keyId: string | null): NamedWork {
  if (keyId && isId('bat', keyId))
    return {
      cap: 'the cap of its batch',
      raise: 'Retry the batch with a higher cap_usd.',
      raisePrice: 'Run it again with a higher max_price_usd, and a cap_usd of at least that.',
    }
  if (keyId && isId('dir', keyId))
    return {
      cap: 'the monthly cap of its directive',
      raise: 'Raise monthly_cap_usd of the directive.',
      raisePrice: 'Raise max_price_usd of the directive for the next ones.',
    }
  return { cap: 'the monthly cap of this credential' }
}

function assertWithinCap(
  { monthlyCapMicroUsd: cap }: Funds,
  { captured, held }: Spending,
  { amountMicroUsd, totalMicroUsd, text }: Demand,
): void {
  if (cap === null || captured + held + amountMicroUsd <= cap) return
  const left = `${usdLeft(cap - captured - held)} USD of the monthly cap is left`
  throw new ServiceError('spend_cap_reached', `${text}, and ${left}. Raise the cap${orWait(cap, totalMicroUsd)}.`)
}

/** Waiting for the next month, which starts with nothing spent, helps only if the cap covers the whole job. */
function orWait(cap: MicroUsd | null, totalMicroUsd: MicroUsd): string {
  return cap !== null && totalMicroUsd <= cap ? ', or wait for the next month' : ''
}

/** A lowered cap can be below what is spent. */
function usdLeft(amount: MicroUsd): number {
  return toUsd(maxMicroUsd(amount, 0n))
}
