import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bestFramesEndpoint } from '../../../src/endpoints/video-best-frames/declaration.ts'
import { fixture } from '../../fixtures/make.ts'
import { sizeOf } from '../../media/measure.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { runEndpoint } from '../run-endpoint.ts'

const found = z.object({
  frames: z.array(
    z.object({ time: z.number(), score: z.number(), reasons: z.array(z.string()), faces: z.array(z.unknown()) }),
  ),
})

/** The shots of shots.mp4 that have a good frame, by what they show. */
const goodShots = { film: [6, 8], face: [8, 10], pattern: [10, 12] } as const
const shotSeconds = 14

function shotOf(time: number): string {
  const within = time % shotSeconds
  return Object.entries(goodShots).find(([, [start, end]]) => within >= start && within < end)?.[0] ?? 'none'
}

describe.skipIf(!models.has('find-faces'))(`picking the best frames${whySkipped}`, () => {
  const pick = async (file: string, ask: object = {}) => {
    const { result, files, warnings, ...rest } = await runEndpoint(bestFramesEndpoint, {
      ...{ file, models, mayWarn: true as const },
      ...ask,
    })
    return { frames: found.parse(result).frames, files, warnings, ...rest }
  }

  it('takes one of each good shot, none that is black, blurred, noise or grey, and the face first', async () => {
    const { frames, files, warnings, billedMilliseconds } = await pick(await fixture('shots.mp4'), {
      settings: { count: 10 },
    })
    expect(
      frames
        .map(({ time }) => shotOf(time))
        .toSorted()
        .filter((shot, index, all) => shot !== all[index - 1]),
    ).toEqual(['face', 'film', 'pattern'])
    expect(shotOf(frames[0]?.time ?? 0)).toBe('face')
    expect(frames[0]?.faces).toHaveLength(1)
    expect(frames[0]?.reasons).toContain('a clear face, wholly in the frame')
    expect(frames.map(({ score }) => score)).toEqual(frames.map(({ score }) => score).toSorted((a, b) => b - a))
    expect(warnings?.[0]).toMatch(/^Only \d frames of 10 asked for/)
    expect([files.length, billedMilliseconds]).toEqual([frames.length, 14_000])
    for (const { path, width, height } of files) expect(await sizeOf(path)).toEqual({ width, height })
    expect(files[0]).toMatchObject({ width: 640, height: 360, contentType: 'image/jpeg' })
  })

  it('finds them by keyframes in longer media', async () => {
    const { frames } = await pick(await fixture('many-shots.mp4'), { settings: { count: 3 } })
    expect(frames.map(({ time }) => shotOf(time)).toSorted()).toEqual(['face', 'film', 'pattern'])
  })

  it('looks only at the window', async () => {
    const { frames, billedMilliseconds } = await pick(await fixture('shots.mp4'), { start: 6.1, end: 8 })
    expect(new Set(frames.map(({ time }) => shotOf(time)))).toEqual(new Set(['film']))
    expect(billedMilliseconds).toBe(1_900)
  })

  it('writes pictures as players show them: turned, and with square pixels', async () => {
    const { files } = await pick(await fixture('turned-shots.mp4'), { settings: { count: 1 } })
    expect(await sizeOf(files[0]?.path ?? '')).toEqual({ width: 360, height: 1280 })
  })

  it('finds none in a black film, and says so', async () => {
    const { frames, files, warnings } = await pick(await fixture('shots.mp4'), { end: 1.9 })
    expect([frames, files]).toEqual([[], []])
    expect(warnings).toEqual(['No frame is good enough: all are dark, blank, noise or blurred.'])
  })
})
