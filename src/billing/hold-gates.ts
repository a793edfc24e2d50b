import { ServiceError } from '../core/errors.ts'
import { type MicroUsd, maxMicroUsd, minMicroUsd, toUsd } from '../core/money.ts'
import type { AccountStanding } from '../store/database.ts'
import type { Amount } from './ledger.ts'
import type { Spending } from './spending.ts'

/** What a payer's account can hold. */
export type Funds = Pick<AccountStanding, 'creditMicroUsd' | 'monthlyCapMicroUsd' | 'billingStatus'>

/** What a hold, or the raise of one, demands of the gates. */
export interface Demand {
  readonly amountMicroUsd: MicroUsd
  /** With what the job holds already. */
  readonly totalMicroUsd: MicroUsd
  /** What is demanded, for the message of a refusal. */
  readonly text: string
  readonly isRaise: boolean
}

export const zeroAmount: Amount = { credit: 0n, billable: 0n }

/**
 * The gates before a hold, in order: limit of the run, caps of keys, cap of the account, free credits, active billing. Returns what the
 * credits cover and what is billed. Free jobs pass all of them.
 */
export function passGates(account: Funds, spending: Spending, demand: Demand): Amount {
  const { amountMicroUsd } = demand
  if (amountMicroUsd === 0n) return zeroAmount
  assertWithinRun(spending, demand)
  assertWithinKeyCaps(spending, demand)
  assertWithinCap(account, spending, demand)
  const credit = minMicroUsd(account.creditMicroUsd, amountMicroUsd)
  const billable = amountMicroUsd - credit
  if (billable > 0n && account.billingStatus !== 'active') throw new ServiceError('billing_required')
  return { credit, billable }
}

function assertWithinRun({ leftOfRun }: Spending, { amountMicroUsd, isRaise }: Demand): void {
  if (leftOfRun === null || amountMicroUsd <= leftOfRun) return
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
): void {
  const isReached = (left: MicroUsd | null) => left !== null && amountMicroUsd > left
  if (!isReached(leftOfKey) && !isReached(leftOfParentKeys)) return
  const left =
    leftOfKey !== null && isReached(leftOfKey)
      ? `${usdLeft(leftOfKey)} USD of the monthly cap of this credential is left`
      : 'less of the monthly cap of the credential that created this one is left'
  const advice = `Ask the owner of the account to raise it${orWait(leastKeyCap, totalMicroUsd)}.`
  throw new ServiceError('spend_cap_reached', `${text}, and ${left}. ${advice}`)
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
