/** Integer micro-USD: 1 USD = 1,000,000. Floats exist only past `toUsd` and before `fromUsd`, at the edge. */
export type MicroUsd = bigint

const microPerUsd = 1_000_000n
/** What `fromUsd` takes at most. */
export const maxUsd = 1_000_000_000

export function microUsd(amount: number): MicroUsd {
  return BigInt(amount)
}

export function minMicroUsd(one: MicroUsd, other: MicroUsd): MicroUsd {
  return one < other ? one : other
}

/** A length as prices count it: a started millisecond counts, what floating point adds does not. */
export function wholeMilliseconds(seconds: number): number {
  return Math.ceil(seconds * 1000 - 1e-6)
}

/** The number that JSON shows. Exact for amounts under nine billion dollars. */
export function toUsd(amount: MicroUsd): number {
  return Number(amount) / Number(microPerUsd)
}

// The shortest text that means the number is what was written: 15 digits survive a float.
const dollarsPattern = /^(\d{1,10})(?:\.(\d{1,6}))?$/

/** Whether `fromUsd` takes it, where it is at most `mostUsd`. */
export function isUsd(amount: number): boolean {
  return dollarsPattern.test(String(amount))
}

/** Dollars as JSON carries them, up to a billion, with at most six decimals. RangeError for anything else. */
export function fromUsd(amount: number): MicroUsd {
  const [, dollars, decimals = ''] = dollarsPattern.exec(String(amount)) ?? []
  if (!dollars || amount > maxUsd) throw new RangeError(`not an amount in dollars: ${amount}`)
  return BigInt(dollars) * microPerUsd + BigInt(decimals.padEnd(6, '0'))
}

/** The UTC month that an amount belongs to, `YYYY-MM`. */
export function billingMonth(at: Date): string {
  return at.toISOString().slice(0, 7)
}
