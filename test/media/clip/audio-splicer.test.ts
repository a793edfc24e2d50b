import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AudioSpan, spliceAudio } from '../../../src/media/clip/join-audio.ts'

function splice(
  source: Float32Array,
  spans: readonly AudioSpan[],
  options: { channels?: number; fade?: number; chunk?: number } = {},
) {
  const { channels = 1, fade = 240, chunk = source.length } = options
  const splicer = spliceAudio(spans, channels, fade)
  const made: number[] = []
  for (let at = 0; at < source.length; at += chunk)
    for (const part of splicer.push(source.subarray(at, at + chunk))) made.push(...part)
  for (const part of splicer.end()) made.push(...part)
  return made
}

const largestStep = (samples: readonly number[]) =>
  samples.slice(1).reduce((most, sample, index) => Math.max(most, Math.abs(sample - (samples[index] ?? 0))), 0)

const sine = (frequency: number, length: number) =>
  Float32Array.from({ length }, (_, index) => 0.5 * Math.sin((2 * Math.PI * frequency * index) / 48_000))

const spansWithin = (length: number) =>
  fc.uniqueArray(fc.integer({ min: 0, max: length }), { minLength: 2, maxLength: 20 }).map((cuts) => {
    const sorted = cuts.toSorted((a, b) => a - b)
    return sorted.flatMap((start, index): AudioSpan[] => {
      const end = sorted[index + 1]
      return index % 2 === 0 && end !== undefined ? [{ start, length: end - start }] : []
    })
  })

describe('joined audio', () => {
  it('has as many samples as its spans, however the source comes in', () => {
    fc.assert(
      fc.property(
        spansWithin(4_000),
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 0, max: 600 }),
        (spans, chunk, fade) => {
          const source = sine(440, 4_000)
          const whole = splice(source, spans, { fade })
          expect(whole).toHaveLength(spans.reduce((sum, { length }) => sum + length, 0))
          expect(splice(source, spans, { fade, chunk })).toEqual(whole)
        },
      ),
    )
  })

  it('is the source, sample by sample, away from the joints', () => {
    const source = Float32Array.from({ length: 40_000 }, (_, index) => index)
    const made = splice(source, [
      { start: 1_000, length: 9_000 },
      { start: 20_000, length: 5_000 },
    ])
    expect(made.slice(0, 9_000 - 120)).toEqual([...source.subarray(1_000, 10_000 - 120)])
    expect(made.slice(9_000 + 120)).toEqual([...source.subarray(20_000 + 120, 25_000)])
  })

  it('keeps channels apart', () => {
    const source = Float32Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? 0.25 : -0.75))
    const made = splice(
      source,
      [
        { start: 100, length: 1_000 },
        { start: 5_000, length: 1_000 },
      ],
      { channels: 2, chunk: 334 },
    )
    expect(made).toHaveLength(4_000)
    expect(made.every((sample, index) => Math.abs(sample - (index % 2 === 0 ? 0.25 : -0.75)) < 1e-6)).toBe(true)
  })

  it.each([100, 440, 1_000])(
    'has no step at a joint above those of the tone itself, at any phase of %s Hz',
    (frequency) => {
      const source = sine(frequency, 48_000)
      const local = largestStep([...source])
      // Where the two are of opposite phase, the fade itself moves the signal.
      const fading = 0.5 * (Math.PI / 2 / 240) * Math.SQRT2
      for (let phase = 0; phase < 480; phase += 7) {
        const made = splice(source, [
          { start: 5_000, length: 5_000 },
          { start: 20_000 + phase, length: 5_000 },
        ])
        expect(largestStep(made)).toBeLessThan(local + fading)
        expect(Math.max(...made)).toBeLessThan(0.52)
      }
    },
  )

  it('keeps the loudness of unrelated sounds across a joint', () => {
    let seed = 1
    const noise = Float32Array.from({ length: 200_000 }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 1_073_741_823.5 - 1
    })
    const spans = Array.from({ length: 100 }, (_, index) => ({ start: index * 1_900 + 400, length: 1_000 }))
    const made = splice(noise, spans)
    const power = (samples: readonly number[]) =>
      samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    const atJoints = spans
      .slice(1)
      .flatMap((_, index) => made.slice((index + 1) * 1_000 - 60, (index + 1) * 1_000 + 60))
    expect(power(atJoints) / power(made)).toBeGreaterThan(0.85)
    expect(power(atJoints) / power(made)).toBeLessThan(1.15)
  })

  it('goes on without a joint where nothing is left out', () => {
    const source = sine(440, 10_000)
    expect(
      splice(source, [
        { start: 10, length: 990 },
        { start: 1_000, length: 3_000 },
      ]),
    ).toEqual([...source.subarray(10, 4_000)])
  })

  it('is silent to the full length where the source ends before', () => {
    const made = splice(sine(440, 1_500), [
      { start: 0, length: 1_000 },
      { start: 1_400, length: 1_000 },
    ])
    expect(made).toHaveLength(2_000)
    expect(made.slice(1_200).every((sample) => sample === 0)).toBe(true)
  })
})
