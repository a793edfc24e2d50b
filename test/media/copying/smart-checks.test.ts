import { expect, it } from 'vitest'
import { framesAtJoints } from '../../../src/media/copying/smart-codecs.ts'
import { divideAtAccessPoints, piecesOfStretches } from '../../../src/media/copying/smart-plan.ts'

const everyTenth = Array.from({ length: 10 }, (_, index) => index * 100)
/** 100 frames of ten ticks, of which decoding can start at every tenth. */
const grid = {
  frameTicks: Array.from({ length: 100 }, (_, index) => index * 10),
  accessPoints: { ticks: everyTenth, leadingTicks: everyTenth },
  ...{ endTick: 1000, secondsPerTick: 0.01, originSeconds: 0, toleranceTicks: 0, hasEnd: true },
}

function runsOf(...ranges: readonly [number, number][]) {
  let atTick = 0
  const placed = ranges.map(([startTick, endTick]) => {
    const range = {
      ...{ requested: { start: startTick / 100, end: endTick / 100 }, startTick, endTick, atTick },
      ...{ firstFrameTick: startTick, frames: (endTick - startTick) / 10 },
    }
    atTick += endTick - startTick
    return range
  })
  const pieces = piecesOfStretches(divideAtAccessPoints(placed, grid), grid)
  return framesAtJoints({ pieces, grid, clock: grid }).map((run) =>
    run.map(({ source, count, firstSeconds, lastSeconds }) => [
      source && [source.fromTick, source.toTick],
      [Math.round(firstSeconds * 10), Math.round(lastSeconds * 10), count],
    ]),
  )
}

/** The first, the last, and their number. */
const tenths = (from: number, to: number) => [from, to - 1, to - from]

it('an encoded piece is checked with the groups of pictures beside it, in a run', () => {
  expect(runsOf([70, 430], [470, 820])).toEqual([
    [
      [null, tenths(0, 3)],
      [[100, 200], tenths(3, 13)],
    ],
    [
      [[300, 400], tenths(23, 33)],
      // The end of one range and the start of the next are one piece.
      [null, tenths(33, 39)],
      [[500, 600], tenths(39, 49)],
    ],
    [
      [[700, 800], tenths(59, 69)],
      [null, tenths(69, 71)],
    ],
  ])
})

it('two copied stretches that meet are checked on both sides, and a stretch of one group is checked at each of its joints', () => {
  expect(runsOf([100, 300], [500, 600], [670, 700])).toEqual([
    [
      [[200, 300], tenths(10, 20)],
      [[500, 600], tenths(20, 30)],
    ],
    [
      [[500, 600], tenths(20, 30)],
      [null, tenths(30, 33)],
    ],
  ])
  expect(runsOf([100, 300])).toEqual([])
})
