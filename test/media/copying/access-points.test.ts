import { expect, it } from 'vitest'
import { accessPointsOf, delayTicksOf } from '../../../src/media/copying/coded-packets.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

/** In decoding order, of which each is decoded ten ticks after the one before, and the first 20 ticks before it is shown. */
const packetsOf = (...times: readonly number[]) => ({
  pts: Float64Array.from(times),
  dts: Float64Array.from(times, (_, index) => index * 10 - 20),
})

it('a keyframe splits the packets behind its last picture before, and in front of its leading pictures', async () => {
  const packets = packetsOf(0, 30, 10, 20, 60, 40, 50, 90, 70, 80)
  expect(await accessPointsOf(packets, [0, 60])).toEqual({
    ticks: Float64Array.of(0, 60),
    leadingTicks: Float64Array.of(0, 40),
  })
})

it('a keyframe before a picture that is shown among those after it is no access point', async () => {
  expect((await accessPointsOf(packetsOf(0, 50, 10, 60, 40, 70), [60])).ticks).toHaveLength(0)
  expect((await accessPointsOf(packetsOf(0, 10, 20), [500])).ticks).toHaveLength(0)
})

it('the delay does not count leading pictures, which a copy leaves out', async () => {
  const packets = packetsOf(0, 30, 10, 20, 60, 40, 50, 90, 70, 80)
  const range = { requested: { start: 0, end: 1 }, startTick: 60, endTick: 90, atTick: 0, frames: 3 }
  const points = await accessPointsOf(packets, [0, 60])
  expect(await delayTicksOf(packets, points, [{ range, fromTick: 60, toTick: 90 }])).toBe(20)
  expect(await delayTicksOf(packets, points, [{ range }])).toBe(0)
})

it('the delay of a million packets with the same times is found, and those without a decoding time do not count', async () => {
  const packets = { pts: new Float64Array(1e6).fill(60), dts: new Float64Array(1e6).fill(40) }
  const range = { requested: { start: 0, end: 1 }, startTick: 60, endTick: 90, atTick: 0, frames: 3 }
  const stretches = [{ range, fromTick: 60, toTick: 90 }]
  const points = { ticks: [60], leadingTicks: [60] }
  expect(await delayTicksOf(packets, points, stretches)).toBe(20)
  expect(await delayTicksOf({ ...packets, dts: new Float64Array(1e6).fill(Number.NaN) }, points, stretches)).toBe(0)
})

it('a million keyframes are looked at in turns', async () => {
  const pts = Float64Array.from({ length: 1e6 }, (_, index) => index)
  expect(await longestWork(() => accessPointsOf({ pts }, pts))).toBeLessThan(tooLongMs)
})
