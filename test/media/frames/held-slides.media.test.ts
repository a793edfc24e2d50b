import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bestFramesEndpoint } from '../../../src/endpoints/video-best-frames/declaration.ts'
import { thumbnailScoreEndpoint } from '../../../src/endpoints/video-thumbnail-score/declaration.ts'
import { cropFollower } from '../../../src/media/frames/follow-subject.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { type Models, modelInterfaces } from '../../../src/models/models.ts'
import { runEndpoint } from '../../endpoints/run-endpoint.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

/** 90 seconds, with frames at 0, 30 and 60 only. */
async function slides(...coding: string[]): Promise<string> {
  const file = path.join(temporaryFolder(), 'slides.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=1/30:duration=90,negate=enable=between(n\\,1\\,1)']
  await runFfmpeg(...source, ...coding, file)
  return file
}

/** A face at the left of every picture. */
const models: Models = {
  has: () => true,
  run: async (name) => modelInterfaces[name].output.parse([{ x: 0, y: 0.2, width: 0.1, height: 0.3, score: 0.99 }]),
}

const timed = z.object({ frames: z.array(z.object({ time: z.number() })) })
const timesOf = ({ result }: { readonly result: unknown }) =>
  timed
    .parse(result)
    .frames.map(({ time }) => time)
    .toSorted((a, b) => a - b)

describe('of a slide that has been shown for a while', () => {
  it.each([
    ['that is a keyframe', ['-g', '1']],
    ['that is none', ['-g', '100']],
  ])('its own picture is scored, also of one %s', async (_name, coding) => {
    const file = await slides('-c:v', 'libx264', ...coding)
    const settings = { times: [20, 25, 50, 80], crops: ['1:1'] }
    const scored = await runEndpoint(thumbnailScoreEndpoint, { file, models, settings })
    expect(timesOf(scored)).toEqual([0, 0, 30, 60])
    expect(scored.files).toHaveLength(4)
  })

  it.each([
    [{ start: 20, end: 25 }, [0]],
    [{ start: 20, end: 50 }, [0, 30]],
    [{ start: 70, end: 75 }, [60]],
  ])('its picture is among the best frames of a window: %o', async (window, times) => {
    const file = await slides('-c:v', 'libx264')
    const best = await runEndpoint(bestFramesEndpoint, { file, models, mayWarn: true, ...window })
    expect(timesOf(best)).toEqual(times)
    expect(best.files).toHaveLength(times.length)
  })

  it('a crop keeps its face inside', async () => {
    const file = await slides('-c:v', 'libx264')
    const { format } = await inspectFile(file, ffmpeg, never)
    const tracks = await readTracks({ path: file, format }, ffmpeg, never)
    const screenTexts = { get: () => Promise.reject(new Error('no text is read')) }
    const follower = cropFollower({ tracks, models, screenTexts, ffmpeg }, { subject: 'faces', points: [] })
    const path = await follower?.find({ along: 'x', share: 0.3 }, [{ start: 20, end: 25 }], never)
    expect(path?.length).toBeGreaterThan(0)
    expect(new Set(path?.map(({ at }) => at))).toEqual(new Set([0]))
  })
})
