/** Integer micro-USD: 1 USD = 1,000,000. Floats exist only past `toUsd`, at the edge. */
export type MicroUsd = bigint

const microPerUsd = 1_000_000n
const millisecondsPerMinute = 60_000n

export function microUsd(amount: number): MicroUsd {
  return BigInt(amount)
}

/** A length as prices count it: a started millisecond counts, what floating point adds does not. */
export function wholeMilliseconds(seconds: number): number {
  return Math.ceil(seconds * 1000 - 1e-6)
}

/** ceil(milliseconds × rate / 60,000): a started micro-dollar counts. */
export function priceFor(milliseconds: number, rateMicroUsdPerMinute: MicroUsd): MicroUsd {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
    throw new RangeError(`not a length in whole milliseconds: ${milliseconds}`)
  }
  return (BigInt(milliseconds) * rateMicroUsdPerMinute + millisecondsPerMinute - 1n) / millisecondsPerMinute
}

/** The number that JSON shows. Exact for amounts under nine billion dollars. */
export function toUsd(amount: MicroUsd): number {
  return Number(amount) / Number(microPerUsd)
}

/** The UTC month that an amount belongs to, `YYYY-MM`. */
export function billingMonth(at: Date): string {
  return at.toISOString().slice(0, 7)
}
