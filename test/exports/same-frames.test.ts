import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editRates } from '../../src/core/edit-rate.ts'
import { normalize } from '../../src/core/segments.ts'
import { editsOf } from '../../src/exports/export-document.ts'
import { layOut } from '../../src/media/clip/join-plan.ts'
import { exportOf } from './documents.ts'

const durationSeconds = 600
const track = { codec: 'h264', width: 320, height: 180, hasVariableFrameRate: false }

/** Ranges to the millisecond, as results have them, and some whose edges lie in the middle of a frame. */
const ranges = fc
  .uniqueArray(fc.integer({ min: 0, max: durationSeconds * 1000 - 100 }), { minLength: 2, maxLength: 120 })
  .map((times) => {
    const edges = times.toSorted((one, other) => one - other).map((milliseconds) => milliseconds / 1000)
    return normalize(
      edges.flatMap((start, index) =>
        index % 2 === 0 && edges[index + 1] !== undefined ? [{ start, end: edges[index + 1] ?? 0 }] : [],
      ),
    )
  })

it.each([
  ['23.976', '1/24000'],
  ['25', '1/12800'],
  ['29.97', '1/30000'],
  ['50', '1/90000'],
  ['59.94', '1/60000'],
] as const)('the clip and the edits of 200 sets of ranges have equal frames, at %s', async (name, timeBase) => {
  const { frames: perSeconds, seconds } = editRates[name]
  const frameRate = perSeconds / seconds
  const count = Math.floor(durationSeconds * frameRate)
  const starts = Float64Array.from({ length: count }, (_, frame) => frame / frameRate)
  const colours = { colour: {}, pixelFormat: 'yuv420p', alpha: null, isInterlaced: false, rotation: 0 }
  const video = {
    ...{ ...track, ...colours, frameRate, timeBase, streamIndex: 0, baseFrameRate: `${perSeconds}/${seconds}` },
    ...{ endSeconds: durationSeconds, shown: { width: 320, height: 180 } },
  }
  const source = {
    ...{ input: { path: 'film.mp4', format: 'mp4' as const }, originSeconds: 0, durationSeconds, audio: [], start: {} },
    ...{ video, chapters: 0, others: [], attachments: [], unreadAudioTracks: 0 },
  }
  const frames = { starts, endSeconds: count / frameRate }
  await fc.assert(
    fc.asyncProperty(ranges, async (asked) => {
      const layout = await layOut(source, { video, audio: [], frames, ranges: asked, thirds: [durationSeconds] })
      const [top = 0, bottom = 1] = timeBase.split('/').map(Number)
      const frameAt = (tick: number) => Math.round((tick * top * frameRate) / bottom)
      const shown = layout.ranges.map(({ startTick, endTick }) => [frameAt(startTick), frameAt(endTick)])
      const entries = asked.map((range) => ({ ...range, label: '' }))
      const edits = editsOf(exportOf(frameRate, '01:00:00:00', { entries, durationSeconds }))
      expect(edits.map(({ sourceStart, sourceEnd }) => [sourceStart, sourceEnd])).toEqual(shown)
    }),
    { numRuns: 200 },
  )
})
