import fc from 'fast-check'
import { expect, it } from 'vitest'
import { snapRanges } from '../../../src/core/snap-ranges.ts'
import { pieceSeekSeconds } from '../../../src/media/clip/video-pieces.ts'
import { divideAtAccessPoints, piecesOfStretches } from '../../../src/media/copying/smart-plan.ts'

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
    const points = [...new Set(starts)].filter((index) => index < frames).toSorted((a, b) => a - b)
    const accessPoints = {
      ticks: points.map((index) => index * frame),
      leadingTicks: points.map((index, order) => Math.max(index - leading, (points[order - 1] ?? -1) + 1) * frame),
    }
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
        expect(grid.accessPoints.ticks).toContain(stretch.fromTick)
        expect([...grid.accessPoints.leadingTicks, grid.endTick]).toContain(stretch.toTick)
        const copied = grid.frameTicks.filter((tick) => tick >= stretch.fromTick && tick < stretch.toTick)
        expect(copied).toHaveLength(stretch.range.frames)
      }
    }),
  )
})

it('stretches that are encoded side by side are one piece, unless much would be decoded between them', () => {
  const frameTicks = Array.from({ length: 400 }, (_, index) => index * frame)
  const grid = { frameTicks, endTick: 16_000, secondsPerTick, originSeconds: 0 }
  const shapes = (second: number, ...ticks: readonly number[]) => {
    const starts = { accessPoints: { ticks, leadingTicks: ticks }, toleranceTicks: 0, hasEnd: true }
    const ranges = snapRanges(
      [
        { start: 1, end: 5 },
        { start: second, end: 11 },
      ],
      grid,
    )
    const whole = { ...grid, ...starts }
    const pieces = piecesOfStretches(divideAtAccessPoints(ranges, whole), whole)
    return pieces.map((piece) => ('copied' in piece ? 'copied' : piece.encoded.ranges.length))
  }
  expect(shapes(6, 2_000, 4_000, 5_400, 8_000, 10_000)).toEqual([1, 'copied', 2, 'copied', 1])
  expect(shapes(7.6, 2_000, 4_000, 5_400, 8_000, 10_000)).toEqual([1, 'copied', 1, 1, 'copied', 1])
  // Without a keyframe between them, all that is decoded for the first would be decoded for the second again.
  expect(shapes(7.6, 2_000, 4_000, 8_000, 10_000)).toEqual([1, 'copied', 2, 'copied', 1])
})

it('decoding of each encoded piece begins behind the piece before it, so that many ranges decode no frame twice', () => {
  fc.assert(
    fc.property(anyCut, ({ ranges, grid }) => {
      const shown = ranges.filter(({ frames }) => frames > 0)
      const stretches = divideAtAccessPoints(shown, grid).filter(({ range }) => range.frames > 0)
      const fit = { accessTicks: grid.accessPoints.ticks }
      let decodedTick = Number.NEGATIVE_INFINITY
      for (const piece of piecesOfStretches(stretches, grid)) {
        if ('copied' in piece) continue
        const seekTick = pieceSeekSeconds({ clock: grid, fit }, piece.encoded) / secondsPerTick
        expect(seekTick).toBeGreaterThanOrEqual(decodedTick)
        decodedTick = piece.encoded.ranges.at(-1)?.endTick ?? decodedTick
      }
    }),
  )
})
