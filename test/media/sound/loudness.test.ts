import { describe, expect, it } from 'vitest'
import {
  drawEnvelope,
  type EnergyWindows,
  findLoudSegments,
  loudestOf,
  loudestSegments,
} from '../../../src/media/sound/energy.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

const windows = (amplitudes: number[]): EnergyWindows => ({
  power: Float64Array.from(amplitudes, (amplitude) => amplitude ** 2),
  peak: Float64Array.from(amplitudes),
})

const options = { windowSeconds: 0.1, startAmplitude: 0.5, endAmplitude: 0.1, minSegmentSeconds: 0.2 }

describe('loud segments', () => {
  it('start loud and go on until it is quiet', async () => {
    const measured = windows([0.2, 0.6, 0.2, 0.2, 0.05, 0.2, 0.7, 0.05])
    const segments = await findLoudSegments(measured, { ...options, totalSeconds: 0.8 })
    expect(segments).toEqual([expect.objectContaining({ start: expect.closeTo(0.1), end: expect.closeTo(0.4) })])
  })

  it('end with the media', async () => {
    const segments = await findLoudSegments(windows([0.05, 0.6, 0.6, 0.6]), { ...options, totalSeconds: 0.35 })
    expect(segments[0]?.end).toBe(0.35)
    expect(segments[0]?.peakDb).toBeCloseTo(-4.44, 2)
    expect(segments[0]?.meanDb).toBeCloseTo(-4.44, 2)
  })

  it.each([
    [undefined, 20_001],
    [3, 3],
    [20_000, 20_000],
  ])('of which there are 432,000, of %s wanted, are %i in memory, found in turns', async (top, count) => {
    const day = windows(Array.from({ length: 864_000 }, (_, window) => (window % 2 === 0 ? 0.6 : 0)))
    for (const [index, window] of [500_000, 10, 863_998].entries()) day.power[window] = 0.9 - index / 10
    const wanted = { ...options, minSegmentSeconds: 0, totalSeconds: 86_400, top }
    let found: { start: number }[] = []
    const longest = await longestWork(async () => (found = await findLoudSegments(day, wanted)))
    expect(found).toHaveLength(count)
    if (top === 3) expect(found.map(({ start }) => start)).toEqual([1, 50_000, 86_399.8])
    expect(longest).toBeLessThan(5 * tooLongMs)
  })

  it('of several tracks follow the louder one', async () => {
    const { power } = await loudestOf([windows([0.1, 0.6]), windows([0.5, 0.2, 0.3])])
    expect([...power].map(Math.sqrt)).toEqual([expect.closeTo(0.5), expect.closeTo(0.6), expect.closeTo(0.3)])
  })
})

describe('the loudest segments', () => {
  const at = (start: number, meanDb: number, peakDb = -1) => ({ start, end: start + 1, meanDb, peakDb })

  it('are those of the highest mean level, in the order of time', () => {
    const segments = [at(0, -12), at(2, -6), at(4, -20), at(6, -9)]
    expect(loudestSegments(segments, 2).map(({ start }) => start)).toEqual([2, 6])
    expect(loudestSegments(segments, 9)).toEqual(segments)
  })

  it('of equal levels are those with the higher peak, then the earlier ones', () => {
    const segments = [at(0, -9, -3), at(2, -9, -1), at(4, -9, -3)]
    expect(loudestSegments(segments, 1)).toEqual([segments[1]])
    expect(loudestSegments(segments, 2)).toEqual([segments[0], segments[1]])
    expect(loudestSegments(segments.toReversed(), 2)).toEqual([segments[0], segments[1]])
  })
})

it('an envelope has at most as many points as asked', async () => {
  const { rmsDb, windowsPerPoint } = await drawEnvelope(windows(Array.from({ length: 2_500 }, () => 0.1)), 1_000)
  expect(windowsPerPoint).toBe(3)
  expect(rmsDb).toHaveLength(834)
  expect(rmsDb[0]).toBeCloseTo(-20)
})

it('a day of windows of 10 ms is compared, searched and drawn in turns', async () => {
  const day = { power: new Float64Array(8_640_000).fill(0.5), peak: new Float64Array(8_640_000).fill(0.9) }
  const longest = await longestWork(async () => {
    const loudest = await loudestOf([day, day])
    await findLoudSegments(loudest, { ...options, windowSeconds: 0.01, totalSeconds: 86_400 })
    await drawEnvelope(loudest, 1_000)
  })
  expect(longest).toBeLessThan(tooLongMs)
})
