import { lengthInWords } from '../components/format.ts'

interface Receipt {
  readonly drift_ms: number
  readonly audio_video_offset_ms: number | null
}

/** How long a cut file is beside what was asked for, as its receipt has it. */
export function syncInWords({ drift_ms: drift, audio_video_offset_ms: offset }: Receipt): string {
  const isSame = Math.abs(drift) <= 1
  const difference = `It is ${Math.abs(drift)} ms ${drift > 0 ? 'longer' : 'shorter'} than`
  const length = `${isSame ? 'Its length is that of' : difference} the parts that were kept`
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
