const words = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The UTC month of the time and those before it, as YYYY-MM, newest first. */
export function lastMonths(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}

/** Every day of a month, as YYYY-MM-DD. */
export function daysOf(month: string): string[] {
  const first = new Date(`${month}-01T00:00:00Z`)
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`)
}

export function monthInWords(month: string): string {
  return words.format(new Date(`${month}-01T00:00:00Z`))
}
