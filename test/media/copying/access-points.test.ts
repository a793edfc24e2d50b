import { expect, it } from 'vitest'
import { accessPointsOf, delayTicksOf } from '../../../src/media/copying/access-points.ts'

/** In decoding order, of which each is decoded ten ticks after the one before, and the first 20 ticks before it is shown. */
const packetsOf = (...times: readonly number[]) => times.map((pts, index) => ({ pts, dts: index * 10 - 20 }))

it('a keyframe splits the packets behind its last picture before, and in front of its leading pictures', () => {
  const packets = packetsOf(0, 30, 10, 20, 60, 40, 50, 90, 70, 80)
  expect(accessPointsOf(packets, [0, 60])).toEqual([
    { tick: 0, leadingTick: 0 },
    { tick: 60, leadingTick: 40 },
  ])
})

it('a keyframe before a picture that is shown among those after it is no access point', () => {
  expect(accessPointsOf(packetsOf(0, 50, 10, 60, 40, 70), [60])).toEqual([])
  expect(accessPointsOf(packetsOf(0, 10, 20), [500])).toEqual([])
})

it('the delay does not count leading pictures, which a copy leaves out', () => {
  const packets = packetsOf(0, 30, 10, 20, 60, 40, 50, 90, 70, 80)
  const range = { requested: { start: 0, end: 1 }, startTick: 60, endTick: 90, atTick: 0, frames: 3 }
  const points = accessPointsOf(packets, [0, 60])
  expect(delayTicksOf(packets, points, [{ range, fromTick: 60, toTick: 90 }])).toBe(20)
  expect(delayTicksOf(packets, points, [{ range }])).toBe(0)
})
