import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalize } from '../../src/core/segments.ts'
import { type FrameGrid, snapRanges } from '../../src/core/snap-ranges.ts'

/** Frames of a constant rate, in ticks of 1/90000 s or of 1/1000 s, as WebM stores them. */
function filmGrid(framesPerSecond: number, seconds: number, secondsPerTick = 1 / 90_000): FrameGrid {
  const count = Math.floor(seconds * framesPerSecond)
  const tickOf = (frame: number) => Math.round(frame / framesPerSecond / secondsPerTick)
  const frameTicks = Array.from({ length: count }, (_, frame) => tickOf(frame))
  return { frameTicks, endTick: tickOf(count), secondsPerTick, originSeconds: 0 }
}

const seconds = 600
const times = fc.array(fc.integer({ min: 0, max: seconds * 1000 - 100 }), { minLength: 2, maxLength: 400 })
const someRanges = times.map((list) => {
  const sorted = list.toSorted((a, b) => a - b)
  const pairs = sorted.flatMap((start, index) => {
    const end = sorted[index + 1]
    return index % 2 === 0 && end !== undefined ? [{ start: start / 1000, end: end / 1000 }] : []
  })
  return normalize(pairs)
})

describe.each([
  ['23.976', filmGrid(24_000 / 1001, seconds)],
  ['29.97', filmGrid(30_000 / 1001, seconds)],
  ['25 in milliseconds', filmGrid(25, seconds, 1 / 1000)],
  ['29.97 in milliseconds', filmGrid(30_000 / 1001, seconds, 1 / 1000)],
  ['60', filmGrid(60, seconds)],
])('at %s frames a second', (_name, grid) => {
  const frame = (grid.frameTicks[1] ?? 0) + 1
  const starts = new Set([...Array.from(grid.frameTicks), grid.endTick])

  it('every cut lies at a frame, within one of where it was asked for', () => {
    fc.assert(
      fc.property(someRanges, (ranges) => {
        for (const { requested, startTick, endTick } of snapRanges(ranges, grid)) {
          expect(starts.has(startTick) && starts.has(endTick)).toBe(true)
          expect(Math.abs(startTick - requested.start / grid.secondsPerTick)).toBeLessThanOrEqual(frame + 1)
          expect(Math.abs(endTick - requested.end / grid.secondsPerTick)).toBeLessThanOrEqual(frame + 1)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('ranges follow each other in source and output, and the output is nowhere a frame off', () => {
    fc.assert(
      fc.property(someRanges, (ranges) => {
        const placed = snapRanges(ranges, grid)
        let [source, output] = [0, 0]
        for (const { startTick, endTick, atTick } of placed) {
          expect(startTick).toBeGreaterThanOrEqual(source)
          expect(atTick).toBe(output)
          source = endTick
          output += endTick - startTick
        }
        const asked = ranges.reduce((sum, { start, end }) => sum + end - start, 0) / grid.secondsPerTick
        expect(Math.abs(output - asked)).toBeLessThanOrEqual(frame)
      }),
      { numRuns: 100 },
    )
  })
})

it('300 ranges of film end within half a frame of the length that was asked for', () => {
  const ranges = Array.from({ length: 300 }, (_, index) => ({ start: index * 1.9 + 0.013, end: index * 1.9 + 1.3471 }))
  const placed = snapRanges(ranges, filmGrid(30_000 / 1001, seconds))
  const made = placed.reduce((sum, { startTick, endTick }) => sum + endTick - startTick, 0) / 90_000
  expect(Math.abs(made - 300 * 1.3341)).toBeLessThan(0.0167)
})

describe('pictures that stand', () => {
  const slides: FrameGrid = {
    frameTicks: [0, 20_000, 40_000],
    endTick: 60_000,
    secondsPerTick: 1 / 1000,
    originSeconds: 0,
  }

  it('are cut where it was asked for, and shown from there', () => {
    const [first, second] = snapRanges(
      [
        { start: 3, end: 5 },
        { start: 25.5, end: 45 },
      ],
      slides,
    )
    expect(first).toMatchObject({ startTick: 3_000, endTick: 5_000, firstFrameTick: 0, frames: 1 })
    expect(second).toMatchObject({
      startTick: 25_500,
      endTick: 45_000,
      atTick: 2_000,
      firstFrameTick: 20_000,
      frames: 2,
    })
  })

  it('are not shown anew where they go on after a gap', () => {
    const [, second] = snapRanges(
      [
        { start: 3, end: 5 },
        { start: 8, end: 9 },
      ],
      slides,
    )
    expect(second).toMatchObject({ startTick: 8_000, frames: 0 })
    expect(second?.firstFrameTick).toBeUndefined()
  })
})

it('without frames, rounding to samples does not add up either', () => {
  const grid: FrameGrid = { frameTicks: [], endTick: 0, secondsPerTick: 1 / 8_000, originSeconds: 0 }
  const ranges = Array.from({ length: 500 }, (_, index) => ({ start: index + index * 0.00013, end: index + 0.70003 }))
  const made = snapRanges(ranges, grid).reduce((sum, { startTick, endTick }) => sum + endTick - startTick, 0)
  const asked = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  expect(Math.abs(made - asked * 8_000)).toBeLessThanOrEqual(1)
})

it('without frames, cuts lie at samples', () => {
  const grid: FrameGrid = { frameTicks: [], endTick: 0, secondsPerTick: 1 / 44_100, originSeconds: 0.5 }
  const [only] = snapRanges([{ start: 1, end: 2.00001 }], grid)
  expect(only).toMatchObject({ startTick: 66_150, endTick: 110_250, frames: 0 })
})
