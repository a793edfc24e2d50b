import { describe, expect, it } from 'vitest'
import { createEnergyScanner, type EnergyWindows } from '../../src/media/energy-scanner.ts'
import { drawEnvelope, findLoudSegments, loudestOf } from '../../src/media/loud-segments.ts'

function measure(samples: number[], channels: number, windowSeconds: number, sampleRate = 100): EnergyWindows {
  const scanner = createEnergyScanner({ sampleRate, channels, windowSeconds })
  // In uneven pieces of whole frames.
  for (let at = 0; at < samples.length; at += 7 * channels) {
    scanner.push(Int16Array.from(samples.slice(at, at + 7 * channels)))
  }
  return scanner.finish()
}

const windows = (amplitudes: number[]): EnergyWindows => ({
  power: Float64Array.from(amplitudes, (amplitude) => amplitude ** 2),
  peak: Float64Array.from(amplitudes),
})

const options = { windowSeconds: 0.1, startAmplitude: 0.5, endAmplitude: 0.1, minSegmentSeconds: 0.2 }

describe('windows', () => {
  it('hold the power and peak of the loudest channel', () => {
    const left = Array.from({ length: 40 }, () => 16_384)
    const samples = left.flatMap((value, index) => [value, index === 5 ? -32_768 : 0])
    const { power, peak } = measure(samples, 2, 0.1)
    expect([...power]).toEqual([expect.closeTo(0.25), expect.closeTo(0.25), expect.closeTo(0.25), expect.closeTo(0.25)])
    expect([...peak]).toEqual([1, 0.5, 0.5, 0.5])
  })

  it('keep their place where they are no whole number of samples', () => {
    const { power } = measure(
      Array.from({ length: 1_000 }, () => 1_000),
      1,
      0.015,
    )
    expect(power).toHaveLength(Math.ceil(10 / 0.015))
  })

  it('measure the shorter last one by its own length', () => {
    const { power } = measure(
      Array.from({ length: 15 }, () => 16_384),
      1,
      0.1,
    )
    expect([...power]).toEqual([expect.closeTo(0.25), expect.closeTo(0.25)])
  })
})

describe('loud segments', () => {
  it('start loud and go on until it is quiet', () => {
    const measured = windows([0.2, 0.6, 0.2, 0.2, 0.05, 0.2, 0.7, 0.05])
    const segments = findLoudSegments(measured, { ...options, totalSeconds: 0.8 })
    expect(segments).toEqual([expect.objectContaining({ start: expect.closeTo(0.1), end: expect.closeTo(0.4) })])
  })

  it('end with the media', () => {
    const segments = findLoudSegments(windows([0.05, 0.6, 0.6, 0.6]), { ...options, totalSeconds: 0.35 })
    expect(segments[0]?.end).toBe(0.35)
    expect(segments[0]?.peakDb).toBeCloseTo(-4.44, 2)
    expect(segments[0]?.meanDb).toBeCloseTo(-4.44, 2)
  })

  it('of several tracks follow the louder one', () => {
    const { power } = loudestOf([windows([0.1, 0.6]), windows([0.5, 0.2, 0.3])])
    expect([...power].map(Math.sqrt)).toEqual([expect.closeTo(0.5), expect.closeTo(0.6), expect.closeTo(0.3)])
  })
})

it('an envelope has at most as many points as asked', () => {
  const { rmsDb, windowsPerPoint } = drawEnvelope(windows(Array.from({ length: 2_500 }, () => 0.1)), 1_000)
  expect(windowsPerPoint).toBe(3)
  expect(rmsDb).toHaveLength(834)
  expect(rmsDb[0]).toBeCloseTo(-20)
})
