import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import type { Segment } from '../../../src/core/segments.ts'
import { readJoinPlan } from '../../../src/media/clip/join.ts'
import { readFrames } from '../../../src/media/inspect/frame-window.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { fixture } from '../../fixtures/make.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

async function inputOf(file: string, format: 'mp4', ranges: readonly Segment[]) {
  const tracks = await readTracks({ path: file, format }, ffmpeg, never)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  return { ...plainClip(), tracks, ranges, format, outputPath, ffmpeg }
}

describe('the frames of ranges that are ten minutes apart', () => {
  const ranges = [
    { start: 3.013, end: 4.2 },
    { start: 4.9, end: 7.77 },
    { start: 700.31, end: 703.5 },
    { start: 1_900.001, end: 1_904.4 },
  ]

  it.each(['half-hour.mp4', 'half-hour-open-gop.mp4'] as const)(
    'of %s are read alone, and give the clip that all frames give',
    async (name) => {
      const input = await inputOf(await fixture(name), 'mp4', ranges)
      const { tracks } = input
      if (!tracks.video) throw new Error('no video')
      const all = await readFrames(tracks, tracks.video, [{ start: 3.013, end: 1_904.4 }], ffmpeg, never)
      const alone = await readFrames(tracks, tracks.video, ranges, ffmpeg, never)
      expect(alone.starts.length).toBeLessThan(all.starts.length / 30)
      expect(await readJoinPlan(input)).toEqual(await readJoinPlan({ ...input, frames: all }))
    },
  )

  it('of a film with one keyframe are each read once, and divide no group', async () => {
    const file = path.join(temporaryFolder(), 'one-keyframe.mp4')
    const picture = ['-f', 'lavfi', '-i', 'color=size=64x64:rate=5:duration=4000', '-pix_fmt', 'yuv420p']
    const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '30000', '-sc_threshold', '0']
    await runFfmpeg(...picture, ...encoder, file)
    const input = await inputOf(file, 'mp4', ranges)
    const { tracks } = input
    if (!tracks.video) throw new Error('no video')
    let reads = 0
    const counting: Ffmpeg = {
      ...ffmpeg,
      probe(job) {
        reads += 1
        return ffmpeg.probe(job)
      },
    }
    const further = [...ranges, ...[2_600, 3_300, 3_990].map((start) => ({ start, end: start + 1 }))]
    const { starts, longestGroupSeconds } = await readFrames(tracks, tracks.video, further, counting, never)
    // The second read began at the keyframe of the first, so that one read has the others.
    expect(reads).toBe(3)
    expect(new Set(Array.from(starts)).size).toBe(starts.length)
    expect(longestGroupSeconds).toBeGreaterThan(1_900)
    expect((await readJoinPlan(input)).pieces).toHaveLength(1)
  })
})
