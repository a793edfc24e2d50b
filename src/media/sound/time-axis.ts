import type { Segment } from '../../core/segments.ts'

const minute = 60
const hour = 3_600
const steps = [
  ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour],
]
const maxTicks = 12

/** Round times in the window: at most 13 for up to a day of media. */
export function ticksIn({ start, end }: Segment): number[] {
  const step = steps.find((candidate) => (end - start) / candidate <= maxTicks) ?? hour * 6
  const first = Math.ceil(start / step - 1e-9)
  const count = Math.floor((end - first * step) / step + 1e-9) + 1
  return Array.from({ length: count }, (_, index) => Math.round((first + index) * step * 100) / 100)
}

/** `0:05`, `1:02:05`; hundredths only if they are not zero. */
export function labelTime(seconds: number): string {
  const whole = Math.floor(seconds + 1e-9)
  const hundredths = Math.round((seconds - whole) * 100)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / hour), Math.floor(whole / minute) % 60]
  const fraction = hundredths > 0 ? `.${two(hundredths)}`.replace(/0$/, '') : ''
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}${fraction}`
}
