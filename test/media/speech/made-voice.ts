import { modelSampleRate } from '../../../src/models/models.ts'

interface MadeVoice {
  readonly seconds: number
  readonly pitch?: number
  /** In hertz, from the beginning to the end. */
  readonly formants?: readonly (readonly [from: number, to: number])[]
}

const neutral = [
  [600, 600],
  [1_250, 1_250],
  [2_500, 2_500],
] as const
const bandwidth = 90

/** A sung vowel: harmonics of its pitch, of which those near its formants are loud. By default it is held, as in "uh". */
export function madeVoice({ seconds, pitch = 120, formants = neutral }: MadeVoice): Float32Array {
  const length = Math.round(seconds * modelSampleRate)
  const sum = Float64Array.from({ length }, (_, at) => {
    let value = 0
    for (let hertz = pitch; hertz < 3_800; hertz += pitch) {
      const gain = formants.reduce((total, [from, to]) => {
        const away = (hertz - from - ((to - from) * at) / length) / bandwidth
        return total + 1 / (1 + away ** 2)
      }, 0.01)
      value += (gain * Math.sin((2 * Math.PI * hertz * at) / modelSampleRate)) / Math.sqrt(hertz)
    }
    return value
  })
  const loudest = sum.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const fade = 0.02 * modelSampleRate
  return Float32Array.from(sum, (value, at) => ((0.3 * value) / loudest) * Math.min(1, at / fade, (length - at) / fade))
}

/** A vowel that glides, as in "I". */
export function madeGlide(seconds: number): Float32Array {
  return madeVoice({
    seconds,
    formants: [
      [800, 300],
      [1_200, 2_300],
      [2_500, 3_000],
    ],
  })
}

/** The same for every run. */
export function madeNoise(seconds: number, loudness: number): Float32Array {
  let state = 1
  return Float32Array.from({ length: Math.round(seconds * modelSampleRate) }, () => {
    state = (state * 48_271) % 2_147_483_647
    return loudness * (state / 1_073_741_823.5 - 1)
  })
}

/** Faint noise of this length, with sounds added at their times. */
export function madeSound(seconds: number, sounds: readonly { readonly at: number; readonly samples: Float32Array }[]) {
  const whole = madeNoise(seconds, 0.0005)
  for (const { at, samples } of sounds) {
    const first = Math.round(at * modelSampleRate)
    for (const [index, sample] of samples.entries())
      if (first + index < whole.length) whole[first + index] = (whole[first + index] ?? 0) + sample
  }
  return whole
}
