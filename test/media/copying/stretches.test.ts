import fc from 'fast-check'
import { expect, it } from 'vitest'
import { snapRanges } from '../../../src/media/clip/snap-ranges.ts'
import { divideAtAccessPoints, piecesOfStretches } from '../../../src/media/copying/stretches.ts'

const secondsPerTick = 1 / 1000
const frame = 40

/** Frames of 25 a second, decoding of which can start at some, with up to three leading pictures, and separate ranges of them. */
const anyCut = fc
  .record({
    frames: fc.integer({ min: 20, max: 200 }),
    starts: fc.array(fc.integer({ min: 0, max: 199 }), { maxLength: 12 }),
    leading: fc.integer({ min: 0, max: 3 }),
    edges: fc.uniqueArray(fc.integer({ min: 0, max: 8_000 }), { minLength: 2, maxLength: 8 }),
  })
  .map(({ frames, starts, leading, edges }) => {
    const frameTicks = Array.from({ length: frames }, (_, index) => index * frame)
    const accessPoints = [...new Set(starts)]
      .filter((index) => index < frames)
      .toSorted((a, b) => a - b)
      .map((index, order, all) => ({
        tick: index * frame,
        leadingTick: Math.max(index - leading, (all[order - 1] ?? -1) + 1) * frame,
      }))
    const sorted = edges.toSorted((a, b) => a - b).map((tick) => Math.min(tick, frames * frame) / 1000)
    const requested = Array.from({ length: sorted.length >> 1 }, (_, index) => ({
      start: sorted[2 * index] ?? 0,
      end: sorted[2 * index + 1] ?? 0,
    }))
    const grid = { frameTicks, endTick: frames * frame, secondsPerTick, originSeconds: 0 }
    const ranges = snapRanges(
      requested.filter(({ start, end }) => end > start),
      grid,
    )
    return { ranges, grid: { ...grid, accessPoints, toleranceTicks: 0, hasEnd: true } }
  })

it('stretches cover their ranges without gaps, with the same frames at the same times', () => {
  fc.assert(
    fc.property(anyCut, ({ ranges, grid }) => {
      const stretches = divideAtAccessPoints(ranges, grid)
      const parts = (of: readonly { startTick: number; endTick: number; atTick: number }[]) =>
        of.flatMap(({ startTick, endTick, atTick }) =>
          Array.from({ length: endTick - startTick }, (_, tick) => `${startTick + tick}@${atTick + tick}`),
        )
      expect(parts(stretches.map(({ range }) => range))).toEqual(parts(ranges))
      const count = (of: readonly { frames: number }[]) => of.reduce((sum, { frames }) => sum + frames, 0)
      expect(count(stretches.map(({ range }) => range))).toBe(count(ranges))
      for (const stretch of stretches) {
        if (!('fromTick' in stretch)) continue
        expect(grid.accessPoints.map(({ tick }) => tick)).toContain(stretch.fromTick)
        expect([...grid.accessPoints.map(({ leadingTick }) => leadingTick), grid.endTick]).toContain(stretch.toTick)
        const copied = grid.frameTicks.filter((tick) => tick >= stretch.fromTick && tick < stretch.toTick)
        expect(copied).toHaveLength(stretch.range.frames)
      }
    }),
  )
})

it('stretches that are encoded side by side are one piece, unless much would be decoded between them', () => {
  const frameTicks = Array.from({ length: 400 }, (_, index) => index * frame)
  const grid = { frameTicks, endTick: 16_000, secondsPerTick, originSeconds: 0 }
  const accessPoints = [2_000, 4_000, 8_000, 10_000].map((tick) => ({ tick, leadingTick: tick }))
  const starts = { accessPoints, toleranceTicks: 0, hasEnd: true }
  const shapes = (second: number) => {
    const ranges = snapRanges(
      [
        { start: 1, end: 5 },
        { start: second, end: 11 },
      ],
      grid,
    )
    const pieces = piecesOfStretches(divideAtAccessPoints(ranges, { ...grid, ...starts }), grid)
    return pieces.map((piece) => ('copied' in piece ? 'copied' : piece.encoded.ranges.length))
  }
  expect(shapes(6)).toEqual([1, 'copied', 2, 'copied', 1])
  expect(shapes(7.6)).toEqual([1, 'copied', 1, 1, 'copied', 1])
})
