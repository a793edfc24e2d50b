import { describe, expect, it } from 'vitest'
import { findLoudSegments, measureEnergy } from '../../../src/media/sound/energy.ts'
import { measureSamples } from './measure-samples.ts'

const constant = (value: number, length: number) => Array.from({ length }, () => value)

function measure(samples: number[], channels: number, windowSeconds: number, seconds: number) {
  const options = { startMs: 0, endMs: Math.ceil(seconds * 100) * 10, sampleRate: 1_000, channels }
  return measureEnergy(measureSamples(samples, options), { start: 0, end: seconds }, windowSeconds)
}

describe('windows', () => {
  it('hold the power and peak of the loudest channel', async () => {
    const samples = constant(16_384, 400).flatMap((value, index) => [value, index === 5 ? -32_768 : 0])
    const { power, peak } = await measure(samples, 2, 0.1, 0.4)
    // The one full sample outweighs the other channel's in its 10 ms only.
    expect([...power]).toEqual([expect.closeTo(0.25), expect.closeTo(0.25), expect.closeTo(0.25), expect.closeTo(0.25)])
    expect([...peak]).toEqual([1, 0.5, 0.5, 0.5])
  })

  it('keep their place where they are no whole number of cells', async () => {
    const { power } = await measure(constant(1_000, 10_000), 1, 0.015, 10)
    expect(power).toHaveLength(Math.ceil(10 / 0.015))
    expect(Math.min(...power)).toBeCloseTo(Math.max(...power), 9)
  })

  it('find a step of the level within half a cell', async () => {
    const { power } = await measure([...constant(0, 500), ...constant(16_384, 500)], 1, 0.125, 1)
    expect([...power].map((value) => Math.round(value * 100))).toEqual([0, 0, 0, 0, 25, 25, 25, 25])
  })

  it('measure the shorter last one by its own length, and nothing where the track is over', async () => {
    const { power } = await measure(constant(16_384, 155), 1, 0.1, 0.4)
    expect([...power]).toEqual([expect.closeTo(0.25), expect.closeTo(0.25), 0, 0])
  })
})

it.each(Array.from({ length: 40 }, (_, index) => index))(
  'a part of exactly the shortest length is found at window %i',
  async (first) => {
    const power = Float64Array.from({ length: 60 }, (_, index) => (index >= first && index < first + 3 ? 0.25 : 0))
    const options = {
      windowSeconds: 0.1,
      totalSeconds: 6,
      startAmplitude: 0.1,
      endAmplitude: 0.02,
      minSegmentSeconds: 0.3,
    }
    expect(await findLoudSegments({ power, peak: power }, options)).toHaveLength(1)
  },
)
