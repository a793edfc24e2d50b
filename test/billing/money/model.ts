import { freeCreditsMicroUsd } from '../../../src/billing/credits.ts'
import { priceFor } from '../../../src/billing/price.ts'
import { type MicroUsd, minMicroUsd } from '../../../src/core/money.ts'

// A second implementation of the rules of money, without a database.

const priceOf = (seconds: number): MicroUsd => priceFor(seconds * 1000, 10_000n)

/** The keys of an account, each with the keys whose caps it counts for. */
const lines = { maker: ['maker'], made: ['made', 'maker'] } as const

export type KeyName = keyof typeof lines

/** The price limits of the runs. */
export const runLimits: readonly MicroUsd[] = [1_500_000n, 5_000_000n]

export interface ModelJob {
  /** The length of its media when inspected, and of its output. */
  readonly actualSeconds: number
  readonly madeSeconds: number
  readonly month: string
  readonly key: KeyName | null
  /** Its place in `runLimits`, if it is a step of a run. */
  readonly run: number | null
  /** The most that it may cost itself. */
  readonly limit: MicroUsd | null
  credit: MicroUsd
  billable: MicroUsd
  isEstimated: boolean
  isDrafted: boolean
  end: 'completed' | 'failed' | undefined
  captured: MicroUsd
}

interface ModelMonth {
  held: MicroUsd
  captured: MicroUsd
}

export interface Model {
  credit: MicroUsd
  billed: MicroUsd
  cap: MicroUsd | null
  readonly keyCaps: Record<KeyName, MicroUsd | null>
  isActive: boolean
  isGranted: boolean
  readonly payments: Set<string>
  readonly months: Map<string, ModelMonth>
  readonly jobs: ModelJob[]
}

export function newModel(): Model {
  const [payments, months] = [new Set<string>(), new Map<string, ModelMonth>()]
  const keyCaps = { maker: null, made: null }
  return { credit: 0n, billed: 0n, cap: null, keyCaps, isActive: false, isGranted: false, payments, months, jobs: [] }
}

/** The outcome of a step: `ok`, the code of a refusal, or another reason. */
export type Outcome =
  | 'ok'
  | 'spend_cap_reached'
  | 'price_limit_reached'
  | 'billing_required'
  | 'nothing to publish'
  | 'has a draft'
  | 'booked already'

export function create(
  model: Model,
  job: Pick<ModelJob, 'actualSeconds' | 'madeSeconds' | 'key' | 'run' | 'limit'> & {
    readonly knownSeconds: number | null
  },
  month: string,
): Outcome {
  const made: ModelJob = {
    ...job,
    month,
    credit: 0n,
    billable: 0n,
    isEstimated: false,
    isDrafted: false,
    end: undefined,
    captured: 0n,
  }
  const price = job.knownSeconds === null ? undefined : priceOf(job.knownSeconds)
  if (price !== undefined && job.limit !== null && price > job.limit) return 'price_limit_reached'
  const outcome = hold(model, made, price ?? 20_000n)
  if (outcome === 'ok') model.jobs.push(made)
  return outcome
}

export function estimate(model: Model, job: ModelJob): Outcome {
  if (job.end || job.isEstimated) return 'ok'
  if (job.limit !== null && priceOf(job.actualSeconds) > job.limit) return 'price_limit_reached'
  const change = priceOf(job.actualSeconds) - job.credit - job.billable
  const outcome = change > 0n ? hold(model, job, change) : 'ok'
  if (change <= 0n) release(model, job, -change)
  job.isEstimated = outcome === 'ok'
  return outcome
}

export function draft(job: ModelJob): Outcome {
  job.isDrafted ||= !job.end
  return 'ok'
}

export function complete(model: Model, job: ModelJob): Outcome {
  if (job.end) return 'ok'
  if (!job.isDrafted) return 'nothing to publish'
  const made = minMicroUsd(priceOf(job.madeSeconds), job.limit ?? priceOf(job.madeSeconds))
  const credit = minMicroUsd(job.credit, made)
  const billable = minMicroUsd(job.billable, made - credit)
  release(model, job, job.credit + job.billable - credit - billable)
  const month = monthOf(model, job.month)
  month.held -= credit + billable
  month.captured += credit + billable
  model.billed += billable
  Object.assign(job, { end: 'completed', captured: credit + billable, credit: 0n, billable: 0n })
  return 'ok'
}

/** Estimate, draft and completion together: all of them, or nothing. */
export function answer(model: Model, job: ModelJob): Outcome {
  if (job.end) return 'ok'
  if (job.isDrafted) return 'has a draft'
  const outcome = estimate(model, job)
  if (outcome !== 'ok') return outcome
  draft(job)
  return complete(model, job)
}

export function fail(model: Model, job: ModelJob): Outcome {
  if (job.end) return 'ok'
  release(model, job, job.credit + job.billable)
  job.end = 'failed'
  return 'ok'
}

export function setKeyCap({ keyCaps }: Model, key: KeyName, cap: MicroUsd | null): Outcome {
  keyCaps[key] = cap
  return 'ok'
}

export function setCap(model: Model, cap: MicroUsd | null): Outcome {
  model.cap = cap
  return 'ok'
}

export function grant(model: Model): Outcome {
  if (model.isGranted) return 'booked already'
  model.isGranted = true
  model.credit += freeCreditsMicroUsd
  return 'ok'
}

export function pay(model: Model, reference: string, amount: MicroUsd): Outcome {
  if (!model.payments.has(reference)) model.billed -= amount
  model.payments.add(reference)
  return 'ok'
}

export function activate(model: Model): Outcome {
  if (!model.isActive) model.cap ??= 100_000_000n
  model.isActive = true
  return 'ok'
}

function monthOf({ months }: Model, name: string): ModelMonth {
  const month = months.get(name) ?? { held: 0n, captured: 0n }
  months.set(name, month)
  return month
}

function hold(model: Model, job: ModelJob, amount: MicroUsd): Outcome {
  const month = model.months.get(job.month) ?? { held: 0n, captured: 0n }
  const spent = (counts: (other: ModelJob) => boolean) =>
    model.jobs
      .filter(counts)
      .reduce((sum, { credit, billable, captured }) => sum + credit + billable + captured, amount)
  // Free jobs pass every gate.
  if (amount > 0n && job.run !== null && spent(({ run }) => run === job.run) > (runLimits[job.run] ?? 0n))
    return 'price_limit_reached'
  for (const name of amount > 0n && job.key ? lines[job.key] : []) {
    const cap = model.keyCaps[name]
    const counts = ({ key, month }: ModelJob) =>
      month === job.month && key !== null && lines[key].some((each) => each === name)
    if (cap !== null && spent(counts) > cap) return 'spend_cap_reached'
  }
  if (amount > 0n && model.cap !== null && month.captured + month.held + amount > model.cap) return 'spend_cap_reached'
  const credit = minMicroUsd(model.credit, amount)
  if (credit < amount && !model.isActive) return 'billing_required'
  model.credit -= credit
  monthOf(model, job.month).held += amount
  job.credit += credit
  job.billable += amount - credit
  return 'ok'
}

/** Releases the billable part first. */
function release(model: Model, job: ModelJob, amount: MicroUsd): void {
  const billable = minMicroUsd(job.billable, amount)
  job.billable -= billable
  job.credit -= amount - billable
  model.credit += amount - billable
  monthOf(model, job.month).held -= amount
}
