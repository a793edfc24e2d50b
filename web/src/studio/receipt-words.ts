import { lengthInWords } from '../components/format.ts'

interface Receipt {
  readonly drift_ms: number
  readonly audio_video_offset_ms: number | null
}

/** How exact a cut file is, as its receipt has it. */
export function syncInWords({ drift_ms: drift, audio_video_offset_ms: offset }: Receipt): string {
  const isExact = Math.abs(drift) <= 1
  const length = isExact ? 'Its length is exact to a millisecond' : `Its length differs by ${Math.abs(drift)} ms`
  return offset === null
    ? `${length}.`
    : `${length}, and sound and picture end ${Math.abs(Math.round(offset))} ms apart.`
}

/** A length to the second, as players show it: 52 min 48 s, 1 h 3 s. */
export function lengthToSecond(seconds: number): string {
  if (seconds < 60) return lengthInWords(seconds)
  const whole = Math.floor(seconds)
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}
