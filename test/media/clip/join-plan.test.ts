import { expect, it } from 'vitest'
import { layOut } from '../../../src/media/clip/join-plan.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

const video = {
  ...{ codec: 'h264', width: 320, height: 180, frameRate: 10, hasVariableFrameRate: false },
  ...{
    streamIndex: 0,
    timeBase: '1/1000',
    baseFrameRate: '10/1',
    pixelFormat: 'yuv420p',
    colour: {},
    alpha: null,
    isInterlaced: false,
    rotation: 0,
    endSeconds: 3,
  },
  shown: { width: 160, height: 120 },
}
const source = {
  input: { path: 'late.mp4', format: 'mp4' as const },
  ...{
    originSeconds: 0,
    durationSeconds: 3,
    audio: [],
    unreadAudioTracks: 0,
    start: {},
    video,
    chapters: 0,
    others: [],
    attachments: [],
  },
}
/** The first picture comes after a second. */
const frames = { starts: Array.from({ length: 20 }, (_, index) => 1 + index / 10), endSeconds: 3 }

it('names a range before the first picture among those that are left out', async () => {
  const ranges = [
    { start: 0, end: 0.5 },
    { start: 0.8, end: 1.5 },
    { start: 2, end: 2.5 },
  ]
  const { leftOut, ranges: placed } = await layOut(source, { video, audio: [], frames, ranges, thirds: [3] })
  expect(leftOut).toEqual([ranges[0]])
  expect(placed).toHaveLength(2)
})

it.each([
  ['at gaps of more than half a minute', { gap: 31, longestGroupSeconds: 5 }, 3],
  ['but not where the next keyframe may be as far away', { gap: 31, longestGroupSeconds: 40 }, 1],
  ['nor at shorter gaps', { gap: 29, longestGroupSeconds: 5 }, 1],
] as const)('divides ranges %s', async (_, { gap, longestGroupSeconds }, count) => {
  const film = {
    starts: Float64Array.from({ length: 1_000 }, (_, at) => at / 10),
    endSeconds: 100,
    longestGroupSeconds,
  }
  const ranges = [0, 1, 2].map((at) => ({ start: at * (gap + 1), end: at * (gap + 1) + 1 }))
  const { pieces } = await layOut(source, { video, audio: [], frames: film, ranges, thirds: [3] })
  expect(pieces).toHaveLength(count)
  expect(pieces.flatMap((piece) => piece.ranges)).toHaveLength(3)
})

it('makes no piece of a moment between a gap and the end of a piece', async () => {
  const film = { starts: Float64Array.from({ length: 1_000 }, (_, at) => at / 10), endSeconds: 100 }
  const ranges = [
    { start: 0, end: 11 },
    { start: 50, end: 69 },
  ]
  const { pieces } = await layOut(source, { video, audio: [], frames: film, ranges, thirds: [3, 3, 3] })
  expect(pieces.map(({ endSeconds }) => Math.round(endSeconds))).toEqual([11, 9, 10])
})

it('lays out two million frames in turns', async () => {
  const many = { starts: Float64Array.from({ length: 2_000_000 }, (_, index) => index / 1000), endSeconds: 2_000 }
  const ranges = Array.from({ length: 100 }, (_, index) => ({ start: index * 20, end: index * 20 + 10 }))
  const request = { video, audio: [], frames: many, ranges, thirds: [1, 1, 1] }
  expect(await longestWork(() => layOut(source, request))).toBeLessThan(tooLongMs)
})
