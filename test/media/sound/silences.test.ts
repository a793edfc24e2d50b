import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Segment } from '../../../src/core/segments.ts'
import { findSilences, maxSilences } from '../../../src/media/sound/silences.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'
import { measureSamples } from './measure-samples.ts'

const sampleRate = 8_000
const amplitude = 0.01

/** The definition, frame by frame: all stretches in which every channel stays below the level. */
function trueSilences(samples: readonly number[], channels: number): Segment[] {
  const silences: Segment[] = []
  let start = 0
  for (let frame = 0; frame <= samples.length / channels; frame++) {
    const values = samples.slice(frame * channels, (frame + 1) * channels)
    if (values.length > 0 && values.every((value) => Math.abs(value) < 327)) continue
    if (frame > start) silences.push({ start: start / sampleRate, end: frame / sampleRate })
    start = frame + 1
  }
  return silences
}

/** Alternating stretches of quiet and loud frames. */
const stretches = fc.array(fc.tuple(fc.integer({ min: 1, max: 250 }), fc.constantFrom(327, -327, 9_000, -32_768)), {
  minLength: 1,
  maxLength: 8,
})

describe('silences of an envelope', () => {
  it('are all that are longer than the minimum + 2 ms, none that is shorter, each within 1 ms', async () => {
    await fc.assert(
      fc.asyncProperty(
        stretches,
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 1, max: 25 }),
        async (parts, channels, minMs) => {
          const samples = parts.flatMap(([frames, loud], index) => {
            const quietFrames = Array.from({ length: frames * channels }, (_, at) => (at % 2 === 0 ? 326 : -326))
            // One channel alone is loud.
            return index % 2 === 0 ? quietFrames : quietFrames.map((quiet, at) => (at % channels === 0 ? loud : quiet))
          })
          const endMs = Math.ceil(samples.length / channels / 80) * 10
          const envelope = measureSamples(samples, { startMs: 0, endMs, sampleRate, channels })
          const seconds = samples.length / channels / sampleRate
          const window = { start: 0, end: seconds }
          const found = await findSilences(envelope, { window, amplitude, minSilenceSeconds: minMs / 1000 })
          const truth = trueSilences(samples, channels)
          const isIn = (inner: Segment, outer: Segment) =>
            inner.start >= outer.start - 1e-9 && inner.end <= outer.end + 1e-9
          for (const silence of found) {
            const around = truth.find((stretch) => isIn(silence, stretch))
            expect(around).toBeDefined()
            expect(silence.start - (around?.start ?? 0)).toBeLessThan(0.001 + 1e-9)
            expect((around?.end ?? 1e9) - silence.end).toBeLessThan(0.001 + 1e-9)
            expect(silence.end - silence.start).toBeGreaterThanOrEqual(minMs / 1000 - 1e-9)
          }
          const long = truth.filter(({ start, end }) => end - start > (minMs + 2) / 1000)
          for (const stretch of long) expect(found.some((silence) => isIn(silence, stretch))).toBe(true)
        },
      ),
    )
  })

  it('go on where the track is over, to the end of the window', async () => {
    const envelope = measureSamples([9_000, 9_000], { startMs: 0, endMs: 1_000, sampleRate: 1_000, channels: 1 })
    const found = await findSilences(envelope, { window: { start: 0, end: 0.995 }, amplitude, minSilenceSeconds: 0.1 })
    expect(found).toEqual([{ start: 0.002, end: 0.995 }])
  })

  it('are cut at the edges of a window between milliseconds, and dropped where that leaves too little', async () => {
    const envelope = measureSamples([], { startMs: 100, endMs: 400, sampleRate: 1_000, channels: 1 })
    const find = (start: number, end: number) =>
      findSilences(envelope, { window: { start, end }, amplitude, minSilenceSeconds: 0.1 })
    expect(await find(0.1234, 0.3)).toEqual([{ start: 0.1234, end: 0.3 }])
    expect(await find(0.2004, 0.3)).toEqual([])
  })

  it.each([
    ['loud every 101 ms', 101, 0.1],
    ['loud every 11 ms', 11, 0.01],
    ['silent but for one ms', Number.POSITIVE_INFINITY, 86_400],
  ])(
    'of a day that is %s are found in turns, and no more than memory has room for',
    async (_, loudEveryMs, minSilenceSeconds) => {
      const peaks = new Uint16Array(86_400_000)
      for (let ms = 1; ms < peaks.length; ms += loudEveryMs) peaks[ms] = 9_000
      const envelope = { ...measureSamples([], { startMs: 0, endMs: 10, sampleRate, channels: 1 }), peaks }
      const window = { start: 0, end: 86_400 }
      let count = 0
      const longest = await longestWork(async () => {
        count = (await findSilences(envelope, { window, amplitude, minSilenceSeconds })).length
      })
      expect(count).toBe(loudEveryMs < 1_000 ? maxSilences : 0)
      expect(longest).toBeLessThan(2 * tooLongMs)
    },
  )
})
