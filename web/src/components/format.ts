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

const whole = new Intl.NumberFormat('en-US')

export function wholeNumber(count: number): string {
  return whole.format(count)
}

const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

export function minuteOf(time: string): string {
  return minute.format(new Date(time))
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

export function dayOf(time: string): string {
  return day.format(new Date(time))
}

const roundedDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** An amount to the cent, for reading: `usd` has every digit. `shown` is what it is rounded to in a list with a total. */
export function cents(amount: number, shown = amount): string {
  return amount > 0 && shown < 0.01 ? '<$0.01' : roundedDollars.format(shown)
}

/** Amounts in whole cents that add up to their total in cents: those that lose most by rounding down are rounded up. */
export function addingUp(amounts: readonly number[]): number[] {
  // In millionths, the smallest amount of the service.
  const micros = amounts.map((amount) => Math.round(amount * 1e6))
  const whole = micros.map((micro) => Math.floor(micro / 10_000))
  const left = Math.round(micros.reduce((sum, micro) => sum + micro, 0) / 10_000) - whole.reduce((a, b) => a + b, 0)
  const lost = micros.map((micro, index) => ({ index, rest: micro % 10_000 })).toSorted((a, b) => b.rest - a.rest)
  const raised = new Set(lost.slice(0, left).map(({ index }) => index))
  return whole.map((amount, index) => (amount + (raised.has(index) ? 1 : 0)) / 100)
}

/** 75.5 as 1:15.5, with as many decimals as asked for. */
export function clock(seconds: number, decimals = 0): string {
  const unit = 10 ** decimals
  const ticks = Math.round(Math.max(0, seconds) * unit)
  const whole = Math.floor(ticks / unit)
  const hours = Math.floor(whole / 3600)
  const minutes = String(Math.floor(whole / 60) % 60)
  const rest = String(whole % 60).padStart(2, '0')
  const fraction = decimals > 0 ? `.${String(ticks % unit).padStart(decimals, '0')}` : ''
  return `${hours > 0 ? `${hours}:${minutes.padStart(2, '0')}` : minutes}:${rest}${fraction}`
}

/** A length in words: 45 s, 12 min, 3 h 4 min. */
export function lengthInWords(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds < 600 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** 734003200 as 734 MB. */
export function bytesInWords(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** power
  return `${amount < 10 && power > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[power]}`
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${wholeNumber(count)} ${count === 1 ? one : many}`
}

/** Why something failed. The pages bind what they start to the price that they show, which the service says in words for programs. */
export function reasonInWords(error: { readonly code: string; readonly message: string } | undefined): string {
  if (error?.code === 'price_limit_reached')
    return 'It costs more than this page said. Reload the page to see its price.'
  return error?.message ?? ''
}
