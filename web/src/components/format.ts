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

const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

export function minuteOf(time: string): string {
  return minute.format(new Date(time))
}
