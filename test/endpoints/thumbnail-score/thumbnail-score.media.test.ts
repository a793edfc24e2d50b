import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { thumbnailScoreEndpoint } from '../../../src/endpoints/video-thumbnail-score/declaration.ts'
import { fixture } from '../../fixtures/make.ts'
import { sizeOf } from '../../media/measure.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { runEndpoint } from '../run-endpoint.ts'

const found = z.object({
  frames: z.array(
    z.object({
      rank: z.number(),
      time: z.number(),
      score: z.number(),
      reasons: z.array(z.string()),
      point_of_interest: z.object({ x: z.number(), y: z.number() }),
      crops: z.array(z.object({ shape: z.string(), left: z.number(), width: z.number(), height: z.number() })),
    }),
  ),
})

/** Moments of the shots of shots.mp4. */
const [black, blurred, noise, film, face, pattern, grey] = [1, 3, 5, 7, 9, 11, 13]

describe.skipIf(!models.has('find-faces'))(`scoring thumbnails${whySkipped}`, () => {
  const score = async (ask: object) => {
    const file = await fixture('shots.mp4')
    const { result, ...rest } = await runEndpoint(thumbnailScoreEndpoint, { file, models, ...ask })
    return { frames: found.parse(result).frames, ...rest }
  }

  it('ranks a face, film and a pattern before what nobody would choose, with reasons', async () => {
    const times = [black, blurred, noise, film, face, pattern, grey]
    const { frames, files, billedMilliseconds } = await score({ settings: { times, crops: [] } })
    expect(frames.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(frames[0]?.time).toBe(face)
    expect(
      frames
        .slice(1, 3)
        .map(({ time }) => time)
        .toSorted((a, b) => a - b),
    ).toEqual([film, pattern])
    const reasonsAt = (time: number) => frames.find((frame) => frame.time === time)?.reasons
    expect(reasonsAt(black)).toEqual(['nearly black'])
    expect(reasonsAt(blurred)).toEqual(['blurred'])
    expect(reasonsAt(noise)).toEqual(['noise'])
    expect(reasonsAt(grey)).toEqual(['blank'])
    expect(reasonsAt(face)).toContain('a clear face, wholly in the frame')
    expect([files, billedMilliseconds]).toEqual([[], 7_000])
  })

  it('crops a frame around its face', async () => {
    const { frames, files } = await score({ start: face })
    const [frame] = frames
    expect(frame?.crops.map(({ shape, width, height }) => [shape, width, height])).toEqual([
      ['16:9', 640, 360],
      ['9:16', 202, 360],
      ['1:1', 360, 360],
    ])
    // The portrait is at 200 to 500 of 640 pixels, and its face to the left of its middle.
    expect(frame?.point_of_interest.x).toBeCloseTo(0.52, 1)
    for (const { left, width } of frame?.crops.slice(1) ?? [])
      expect(Math.abs(left + width / 2 - (frame?.point_of_interest.x ?? 0) * 640)).toBeLessThan(2)
    for (const { path, width, height } of files) expect(await sizeOf(path)).toEqual({ width, height })
  })

  it('scores the frames that an earlier job returned, of the same media only', async () => {
    const earlier = {
      job_a: { media_seconds: 14, frames: [{ time: film }, { time: face }] },
      job_b: { media_seconds: 60, frames: [{ time: film }] },
      job_c: { segments: [] },
    }
    const ask = (job_id: string) => score({ earlier, settings: { job_id, crops: ['1:1'] } })
    const { frames, files, billedMilliseconds } = await ask('job_a')
    expect([frames.map(({ time }) => time), files.length, billedMilliseconds]).toEqual([[face, film], 2, 2_000])
    await expect(ask('job_b')).rejects.toMatchObject({ code: 'invalid_request', message: /another length/ })
    await expect(ask('job_c')).rejects.toMatchObject({ code: 'invalid_request', message: /no frames/ })
  })

  it('refuses a moment past the end of the media', async () => {
    await expect(score({ settings: { times: [film, 20] } })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
