/** The longest time that callers can send: nine digits, as in its text form. */
export const maxSeconds = 999_999_999

const clock = /^(?:(?:(\d{1,4}):)?([0-5]?\d)|(\d{1,4})):([0-5]?\d(?:\.\d{1,9})?)$/
const plain = /^\d{1,9}(?:\.\d{1,9})?$/

/** Seconds from `12.5`, `"12.5"`, `MM:SS(.mmm)` or `HH:MM:SS(.mmm)`; undefined when blank; throws RangeError otherwise. */
export function parseTimeCode(value: number | string): number | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value < 0) throw new RangeError('a time is 0 or more seconds')
    return value
  }
  const text = value.trim()
  if (text === '') return undefined
  if (plain.test(text)) return Number(text)
  const match = clock.exec(text)
  if (!match) throw new RangeError('a time is seconds, MM:SS or HH:MM:SS')
  // Without hours, minutes can exceed 59.
  const [, hours = '0', within = '0', minutes = within, seconds = '0'] = match
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** `HH:MM:SS.mmm`. */
export function formatTimeCode(seconds: number): string {
  const total = toMilliseconds(seconds)
  const pad = (value: number, width: number) => String(value).padStart(width, '0')
  const hours = Math.floor(total / hourMs)
  const minutes = Math.floor(total / 60_000) % 60
  const wholeSeconds = Math.floor(total / 1000) % 60
  return `${pad(hours, 2)}:${pad(minutes, 2)}:${pad(wholeSeconds, 2)}.${pad(total % 1000, 3)}`
}

export function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000)
}

/** Seconds rounded to the millisecond, as in results. */
export function roundToMillisecond(seconds: number): number {
  return toMilliseconds(seconds) / 1000
}

export const daySeconds = 86_400
export const dayMs = daySeconds * 1000
export const hourSeconds = 3_600
export const hourMs = 3_600_000
