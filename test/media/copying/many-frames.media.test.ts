import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import type { Segment } from '../../../src/core/segments.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import { copyBudget } from '../../../src/media/copying/copy-bounds.ts'
import { makeClip } from '../../../src/media/copying/make-clip.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { writeManyFrames } from '../../fixtures/many-frames.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { canMeasureTools, never, temporaryFolder, testFfmpeg, toolMeasures } from '../measure.ts'

async function clipOf(mode: CutMode, file: string, ranges: readonly Segment[], ffmpeg: Ffmpeg = testFfmpeg()) {
  const outputPath = path.join(temporaryFolder(), 'clip.mp4')
  const tracks = await readTracks({ path: file, format: 'mp4' }, ffmpeg, never)
  return makeClip(mode, {
    ...plainClip(),
    ...{ tracks, ranges, format: 'mp4', copyBudget: copyBudget(1e9), outputPath, ffmpeg },
  })
}

it('copies a long film with one keyframe', async () => {
  const file = path.join(temporaryFolder(), 'one-keyframe.mp4')
  const picture = ['-f', 'lavfi', '-i', 'color=size=16x16:rate=25:duration=2400', '-pix_fmt', 'yuv420p']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '1000000', '-sc_threshold', '0']
  await runFfmpeg(...picture, ...encoder, file)
  const { receipt } = await clipOf('copy', file, [{ start: 0.5, end: 2399 }])
  expect(receipt).toMatchObject({ mode: 'copy', fallbackReason: null, presented: { start: 0, end: 2399 } })
})

const tooDense = { code: 'processing_failed', message: expect.stringContaining('frames a second') }

describe.skipIf(!canMeasureTools)('a film of 90,000 frames a second is refused before most of them are read', () => {
  const modes: readonly CutMode[] = ['exact', 'smart', 'copy']
  it.each(modes)('by %s', bestOfThree, async (mode) => {
    const { ffmpeg, totalCpuMs } = toolMeasures()
    const file = await writeManyFrames(temporaryFolder(), 600_000)
    await expect(clipOf(mode, file, [{ start: 0, end: 6 }], ffmpeg)).rejects.toMatchObject(tooDense)
    // To read all of them takes five seconds, and smart did it three times.
    expect(totalCpuMs()).toBeLessThan(2_500)
  })

  it('for a clip of a millisecond, too', bestOfThree, async () => {
    const { ffmpeg, totalCpuMs } = toolMeasures()
    const file = await writeManyFrames(temporaryFolder(), 600_000)
    await expect(clipOf('exact', file, [{ start: 6.5, end: 6.501 }], ffmpeg)).rejects.toMatchObject(tooDense)
    expect(totalCpuMs()).toBeLessThan(2_500)
  })
})

it('copy refuses a film that has too many frames only in the middle of its range', async () => {
  const slow = { frames: 100, ticks: 1_800 }
  const file = await writeManyFrames(temporaryFolder(), [slow, { frames: 100_000, ticks: 1 }, slow])
  await expect(clipOf('copy', file, [{ start: 0.5, end: 4.6 }])).rejects.toMatchObject(tooDense)
})

it('copies a film of a thousand frames a second', async () => {
  const file = await writeManyFrames(temporaryFolder(), [{ frames: 4_000, ticks: 90 }])
  const { receipt } = await clipOf('copy', file, [{ start: 0.5, end: 3.5 }])
  expect(receipt).toMatchObject({ mode: 'copy', framesCopied: 3_000 })
})
