import type { MicroUsd } from '../core/money.ts'

// The price of a job, wherever it is needed: create, estimate, plan, hold and finish.

const millisecondsPerMinute = 60_000n

/** ceil(milliseconds × rate / 60,000): a started micro-dollar counts. RangeError for a length that is not in whole milliseconds. */
export function priceFor(milliseconds: number, rateMicroUsdPerMinute: MicroUsd): MicroUsd {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
    throw new RangeError(`not a length in whole milliseconds: ${milliseconds}`)
  }
  return (BigInt(milliseconds) * rateMicroUsdPerMinute + millisecondsPerMinute - 1n) / millisecondsPerMinute
}

interface Window {
  readonly startSeconds: number | null
  readonly endSeconds: number | null
}

/** What every live endpoint declares about its price. */
export interface PricedEndpoint {
  readonly price: { readonly rateMicroUsdPerMinute: MicroUsd }
  readonly billableMilliseconds: (
    window: Window,
    settings: unknown,
    mediaSeconds: number | undefined,
  ) => number | undefined
}

export interface JobToPrice {
  readonly window: Window
  readonly settings: unknown
  /** Undefined while the media has not been read. */
  readonly mediaSeconds: number | undefined
  /** The rate that the job was accepted at. Without a job, the endpoint's present rate. */
  readonly rateMicroUsdPerMinute?: MicroUsd
}

export interface MaxPrice {
  readonly microUsd: MicroUsd
  /** The length that it is computed from. */
  readonly billableMilliseconds: number
}

/** The most that a job can cost, which is what is held for it. Undefined while it depends on a media length that is not known. */
export function maxPriceOf(endpoint: PricedEndpoint, job: JobToPrice): MaxPrice | undefined {
  const { window, settings, mediaSeconds, rateMicroUsdPerMinute = endpoint.price.rateMicroUsdPerMinute } = job
  const billableMilliseconds = endpoint.billableMilliseconds(window, settings, mediaSeconds)
  if (billableMilliseconds === undefined) return undefined
  return { microUsd: priceFor(billableMilliseconds, rateMicroUsdPerMinute), billableMilliseconds }
}
