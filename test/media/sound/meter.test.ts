import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEnvelopeJoin, type Envelope, frameAt } from '../../../src/media/sound/envelope.ts'
import { splitStretch } from '../../../src/media/sound/envelopes.ts'
import type { MeterOptions } from '../../../src/media/sound/meter.ts'
import { measureSamples } from './measure-samples.ts'

/** The definition, window by window. */
function naiveEnvelope(samples: readonly number[], { startMs, endMs, sampleRate, channels }: MeterOptions): Envelope {
  const offset = frameAt(startMs, sampleRate)
  const within = (from: number, to: number, channel: number) => {
    const frames = samples.filter((_, index) => index % channels === channel)
    return frames.slice(frameAt(from, sampleRate) - offset, frameAt(to, sampleRate) - offset)
  }
  const eachChannel = Array.from({ length: channels }, (_, channel) => channel)
  const peakOf = (ms: number) => eachChannel.flatMap((channel) => within(ms, ms + 1, channel).map(Math.abs))
  const squaresOf = (ms: number, channel: number) =>
    within(ms, ms + 10, channel).reduce((sum, sample) => sum + sample ** 2, 0)
  return {
    ...{ startMs, endMs, sampleRate, decodeErrors: 0 },
    frames: Math.min(samples.length / channels, frameAt(endMs, sampleRate) - offset),
    peaks: Uint16Array.from({ length: endMs - startMs }, (_, index) => Math.max(0, ...peakOf(startMs + index))),
    squares: Float32Array.from({ length: (endMs - startMs) / 10 }, (_, cell) =>
      Math.max(...eachChannel.map((channel) => squaresOf(startMs + cell * 10, channel))),
    ),
  }
}

const sample = fc.oneof(fc.constantFrom(0, 1, -1, 32_767, -32_768), fc.integer({ min: -32_768, max: 32_767 }))
const options = fc.record({
  startMs: fc.nat(5).map((cell) => cell * 10),
  sampleRate: fc.constantFrom(500, 1_000, 8_000, 11_025, 44_100),
  channels: fc.integer({ min: 1, max: 3 }),
  cells: fc.integer({ min: 1, max: 4 }),
})

describe('the meter', () => {
  it('measures what the definition says, however the samples are cut into pieces', () => {
    fc.assert(
      fc.property(
        options,
        fc.infiniteStream(sample),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        fc.array(fc.nat(300)),
        ({ startMs, sampleRate, channels, cells }, stream, filled, pieces) => {
          const measured = { startMs, endMs: startMs + cells * 10, sampleRate, channels }
          const frames = Math.floor((sampleRate * cells * filled) / 100)
          const samples = [...stream.take(frames * channels)]
          expect(measureSamples(samples, measured, pieces)).toEqual(naiveEnvelope(samples, measured))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('gives the same in parts that are joined', () => {
    fc.assert(
      fc.property(fc.infiniteStream(sample), fc.integer({ min: 1, max: 5 }), fc.nat(800), (stream, count, frames) => {
        const whole = { startMs: 20, endMs: 120, sampleRate: 8_000, channels: 1 }
        const samples = [...stream.take(frames)]
        const parts = splitStretch(whole, count).map((stretch) => {
          const from = frameAt(stretch.startMs, 8_000) - frameAt(20, 8_000)
          return measureSamples(samples.slice(from), { ...whole, ...stretch })
        })
        const { add, joined } = createEnvelopeJoin(whole)
        for (const part of parts.toReversed()) add(part)
        expect(joined()).toEqual(measureSamples(samples, whole))
      }),
    )
  })
})
