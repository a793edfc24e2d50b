import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Segment } from '../../../src/core/segments.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import { leadBudget } from '../../../src/media/clip/lead-budget.ts'
import { copyBudget } from '../../../src/media/copying/copy-budget.ts'
import { makeClip } from '../../../src/media/copying/make-clip.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { writeManyFrames } from '../../fixtures/many-frames.ts'
import { mediaTools } from '../../setup/tools.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

async function clipOf(mode: CutMode, file: string, range: Segment) {
  const input = {
    tracks: await readTracks({ path: file, format: 'mp4' }, ffmpeg, never),
    ranges: [range],
    ...({ format: 'mp4', quality: 'fast', audioOnly: false, fadeSeconds: 0, loudnessLufs: null } as const),
    ...{
      copyBudget: copyBudget(1e9),
      leadBudget: leadBudget(60),
      outputPath: path.join(temporaryFolder(), 'clip.mp4'),
    },
    ...{ ffmpeg, signal: never, onProgress: () => {} },
  }
  return makeClip(mode, input)
}

it('copies a long film with one keyframe', async () => {
  const file = path.join(temporaryFolder(), 'one-keyframe.mp4')
  const picture = ['-f', 'lavfi', '-i', 'color=size=16x16:rate=25:duration=2400', '-pix_fmt', 'yuv420p']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '1000000', '-sc_threshold', '0']
  await promisify(execFile)(mediaTools.ffmpegPath, ['-nostdin', '-v', 'error', ...picture, ...encoder, file])
  const { receipt } = await clipOf('copy', file, { start: 0.5, end: 2399 })
  expect(receipt).toMatchObject({ mode: 'copy', fallbackReason: null, presented: { start: 0, end: 2399 } })
})

it.each(['exact', 'smart'] as const)(
  '%s refuses tens of thousands of frames a second before it encodes',
  async (mode) => {
    const file = await writeManyFrames(temporaryFolder(), 60_000)
    await expect(clipOf(mode, file, { start: 0, end: 0.6 })).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining('frames a second'),
    })
  },
)
