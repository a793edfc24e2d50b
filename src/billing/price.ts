import type { MicroUsd } from '../core/money.ts'
import type { JobWindow } from '../core/segments.ts'

// The price of a job, for create, estimate, plan, hold and finish.

const millisecondsPerMinute = 60_000n

/** ceil(milliseconds × rate / 60,000) in micro-USD. RangeError for a length that is not in whole milliseconds. */
export function priceFor(milliseconds: number, rateMicroUsdPerMinute: MicroUsd): MicroUsd {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
    throw new RangeError(`not a length in whole milliseconds: ${milliseconds}`)
  }
  return (BigInt(milliseconds) * rateMicroUsdPerMinute + millisecondsPerMinute - 1n) / millisecondsPerMinute
}

/** What every live endpoint declares about its price. */
export interface PricedEndpoint {
  readonly price: { readonly rateMicroUsdPerMinute: MicroUsd }
  readonly billableMilliseconds: (
    window: JobWindow,
    settings: unknown,
    mediaSeconds: number | undefined,
  ) => number | undefined
}

export interface JobToPrice {
  readonly window: JobWindow
  readonly settings: unknown
  /** Undefined until the media has been read. */
  readonly mediaSeconds: number | undefined
  /** The rate at which the job was accepted. By default the endpoint's current rate. */
  readonly rateMicroUsdPerMinute?: MicroUsd
}

export interface MaxPrice {
  readonly microUsd: MicroUsd
  /** The length that the price is computed from. */
  readonly billableMilliseconds: number
}

/** The maximum price of a job, which is held for it. Undefined while it depends on an unknown media length. */
export function maxPriceOf(endpoint: PricedEndpoint, job: JobToPrice): MaxPrice | undefined {
  const { window, settings, mediaSeconds, rateMicroUsdPerMinute = endpoint.price.rateMicroUsdPerMinute } = job
  const billableMilliseconds = endpoint.billableMilliseconds(window, settings, mediaSeconds)
  if (billableMilliseconds === undefined) return undefined
  return { microUsd: priceFor(billableMilliseconds, rateMicroUsdPerMinute), billableMilliseconds }
}
