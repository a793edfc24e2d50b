const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})

/** An amount as the service states it, with every digit that it has. */
export function usd(amount: number): string {
  return dollars.format(amount)
}

const alignedDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 6,
})

/** An amount in a column of a table, whose decimal points stand below each other. */
export function alignedUsd(amount: number): string {
  return alignedDollars.format(amount)
}

const whole = new Intl.NumberFormat('en-US')

export function wholeNumber(count: number): string {
  return whole.format(count)
}

const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

export function minuteOf(time: string): string {
  return minute.format(new Date(time))
}
