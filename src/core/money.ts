/** Integer micro-USD: 1 USD = 1,000,000. Floats appear only after `toUsd` and before `fromUsd`, at the edge. */
export type MicroUsd = bigint

const microPerUsd = 1_000_000n
/** The maximum for `fromUsd`. */
export const maxUsd = 1_000_000_000

export function microUsd(amount: number): MicroUsd {
  return BigInt(amount)
}

export function minMicroUsd(one: MicroUsd, other: MicroUsd): MicroUsd {
  return one < other ? one : other
}

export function maxMicroUsd(one: MicroUsd, other: MicroUsd): MicroUsd {
  return one > other ? one : other
}

/** A length in whole milliseconds for prices, rounded up, without the rounding error of floating point. */
export function wholeMilliseconds(seconds: number): number {
  return Math.ceil(seconds * 1000 - 1e-6)
}

/** Dollars for JSON. Exact for amounts under nine billion dollars. */
export function toUsd(amount: MicroUsd): number {
  return Number(amount) / Number(microPerUsd)
}

// A number's shortest text equals the text that was written: a float preserves 15 digits.
const dollarsPattern = /^(\d{1,10})(?:\.(\d{1,6}))?$/

/** Whether `fromUsd` accepts the amount, given that it is at most `maxUsd`. */
export function isUsd(amount: number): boolean {
  return dollarsPattern.test(String(amount))
}

/** Micro-USD from dollars in JSON: up to a billion, at most six decimals. RangeError for other numbers. */
export function fromUsd(amount: number): MicroUsd {
  const [, dollars, decimals = ''] = dollarsPattern.exec(String(amount)) ?? []
  if (!dollars || amount > maxUsd) throw new RangeError(`not an amount in dollars: ${amount}`)
  return BigInt(dollars) * microPerUsd + BigInt(decimals.padEnd(6, '0'))
}

/** The UTC month that an amount belongs to, `YYYY-MM`. */
export function billingMonth(at: Date): string {
  return at.toISOString().slice(0, 7)
}

/** The UTC month before the one of `at`. */
export function monthBefore(at: Date): string {
  return billingMonth(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 0)))
}
