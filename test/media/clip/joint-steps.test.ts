import { expect, it } from 'vitest'
import { jointMeter } from '../../../src/media/clip/joint-steps.ts'

const sampleRate = 1_000

/** Stereo sound of these levels and lengths, in dBFS and samples of each channel. */
function soundOf(parts: readonly (readonly [level: number, length: number])[]): Float32Array {
  return Float32Array.from(
    parts.flatMap(([level, length]) =>
      Array.from({ length: length * 2 }, (_, index) => (index % 4 < 2 ? 1 : -1) * 10 ** (level / 20)),
    ),
  )
}

function stepsOf(
  sound: Float32Array,
  lengths: readonly number[],
  { chunk = sound.length, fadeLength = 0 } = {},
): number[] {
  const meter = jointMeter({ lengths, fadeLength, channels: 2, sampleRate })
  for (let at = 0; at < sound.length; at += chunk) meter.push(sound.subarray(at, at + chunk))
  return meter.steps()
}

it('a step is how much louder a tenth of a second after a joint is than one before it, however the sound comes in', () => {
  // What is further away than 100 samples does not count.
  const parts = [
    [-3, 400],
    [-30, 100],
    [-18, 100],
    [-50, 300],
    [-20, 200],
    [-20, 300],
  ] as const
  const [sound, lengths] = [soundOf(parts), [500, 600, 300]]
  const steps = stepsOf(sound, lengths)
  expect(steps.map((step) => Math.round(step * 10) / 10)).toEqual([12, 0])
  for (const chunk of [2, 14, 600]) expect(stepsOf(sound, lengths, { chunk })).toEqual(steps)
})

it('a range that is shorter than a tenth of a second is measured whole, and not beyond', () => {
  const sound = soundOf([
    [-40, 500],
    [-20, 30],
    [-40, 500],
  ])
  expect(stepsOf(sound, [500, 30, 500], { chunk: 6 }).map(Math.round)).toEqual([20, -20])
})

it('what a crossfade mixes does not count', () => {
  const sound = soundOf([
    [-40, 480],
    [-10, 40],
    [-30, 480],
  ])
  const steps = stepsOf(sound, [500, 500], { fadeLength: 40, chunk: 34 })
  expect(steps.map(Math.round)).toEqual([10])
})

it('silence counts as -70 dBFS', () => {
  expect(stepsOf(new Float32Array(800), [200, 200]).map(Math.round)).toEqual([0])
  expect(
    stepsOf(
      soundOf([
        [-96, 200],
        [-10, 200],
      ]),
      [200, 200],
    ).map(Math.round),
  ).toEqual([60])
})
