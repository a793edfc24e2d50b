import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clipNearEndpoint } from '../../src/endpoints/video-clip-near/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { textFramesEndpoint } from '../../src/endpoints/video-text-frames/declaration.ts'
import { fixture, speech } from '../fixtures/make.ts'
import { filmWithText } from '../fixtures/text-film.ts'
import { pictureOf } from '../media/measure.ts'
import { models, whySkipped } from '../setup/models.ts'
import { runEndpoint } from './run-endpoint.ts'

const picture = z.object({ receipt: z.object({ picture: z.record(z.string(), z.unknown()) }) })

describe('the shape of a clip', () => {
  it.skipIf(!models.has('find-faces'))(
    `keeps the face inside in 95 % of frames of a crop, and follows a cut${whySkipped}`,
    async () => {
      const { files, result } = await runEndpoint(clipWindowEndpoint, {
        ...{
          file: await fixture('walking-face.mp4'),
          start: 0,
          settings: { aspect: '9:16', height: 360, quality: 'fast' },
          models,
        },
      })
      expect(picture.parse(result).receipt.picture).toEqual({
        ...{ width: 202, height: 360, aspect: '9:16', fit: 'crop', follows: 'faces' },
        stretches: [{ start: 0, end: 12, follows: ['faces'] }],
      })
      const clip = files[0]?.path ?? ''
      const [frames, strip] = [90, await pictureOf(clip, 'fps=7.5,scale=144:256,tile=1x90')]
      const bytes = 144 * 256 * 3
      let inside = 0
      for (let frame = 0; frame < frames; frame += 1) {
        const rgb = strip.rgb.subarray(frame * bytes, (frame + 1) * bytes)
        const [face] = await models.run('find-faces', { width: 144, height: 256, rgb })
        if (face && face.x >= 0 && face.x + face.width <= 1) inside += 1
      }
      expect(inside / frames).toBeGreaterThanOrEqual(0.95)
    },
  )

  it.skipIf(!models.has('find-faces'))(`does not follow faces in a film without any${whySkipped}`, async () => {
    const { result } = await runEndpoint(clipWindowEndpoint, {
      ...{
        file: await fixture('three-minutes.mp4'),
        start: 0,
        end: 1,
        settings: { aspect: '1:1', quality: 'fast' },
        models,
      },
    })
    expect(picture.parse(result).receipt.picture).toMatchObject({ fit: 'crop', follows: 'centre' })
  })

  it('is cropped around the centre without a model for faces, and is not enlarged beyond its usual size', async () => {
    const { result, files, warnings } = await runEndpoint(clipNearEndpoint, {
      file: await fixture('shots.mp4'),
      ...{
        start: 5,
        settings: { before_seconds: 0.5, after_seconds: 0.5, aspect: '1:1', height: 1440 },
        mayWarn: true,
      },
    })
    expect(picture.parse(result).receipt.picture).toMatchObject({ height: 1080, follows: 'centre' })
    expect(files.map(({ label, shape }) => [label, shape])).toEqual(Array(2).fill(['clip-0m05s', '1x1-1080p']))
    expect(warnings).toContain(
      'The clip is 1080 pixels high instead of 1440, because a picture is not enlarged further.',
    )
  })

  it('keeps to a point, and to others in their stretches', async () => {
    const file = await fixture('shots.mp4')
    const crop = async (settings: object) => {
      const { files, result } = await runEndpoint(clipWindowEndpoint, {
        ...{ file, start: 2, end: 3, settings: { aspect: '1:1', height: 360, ...settings } },
      })
      expect(picture.parse(result).receipt.picture).toMatchObject({ follows: 'point' })
      return files[0]?.path ?? ''
    }
    const off = async (clip: string, seconds: number, left: number) => {
      const made = await pictureOf(clip, `trim=start=${seconds},scale=36:36:flags=area`)
      const part = await pictureOf(file, `trim=start=${2 + seconds},crop=360:360:${left}:0,scale=36:36:flags=area`)
      return part.rgb.reduce((sum, value, at) => sum + Math.abs(value - (made.rgb[at] ?? 0)), 0) / part.rgb.length
    }
    const moved = await crop({ focus: { x: 0, y: 0 }, focus_points: [{ start: 2.4, end: 2.7, x: 1, y: 0.5 }] })
    for (const [seconds, left] of [
      [0.1, 0],
      [0.5, 280],
      [0.8, 0],
    ] as const)
      expect([seconds, await off(moved, seconds, left)]).toEqual([seconds, expect.closeTo(2, -0.6)])
  })

  it.skipIf(!models.has('read-text'))(`keeps lines of text inside that fit${whySkipped}`, async () => {
    const file = await filmWithText()
    const read = async (from: string, window: object) => {
      const { result } = await runEndpoint(textFramesEndpoint, { file: from, settings: {}, models, ...window })
      return z
        .object({ lines: z.array(z.object({ text: z.string() })) })
        .parse(result)
        .lines.map(({ text }) => text)
    }
    const { files, result } = await runEndpoint(clipWindowEndpoint, {
      ...{ file, start: 3.5, end: 6, settings: { aspect: '1:1', focus: 'text', quality: 'fast' }, models },
    })
    expect(picture.parse(result).receipt.picture).toMatchObject({ width: 1080, height: 1080, follows: 'text' })
    expect(await read(files[0]?.path ?? '', {})).toEqual(['Where are you going?', 'To the hills at 10:45'])
    const { warnings } = await runEndpoint(clipWindowEndpoint, {
      ...{
        file,
        start: 3.5,
        end: 6,
        settings: { aspect: '9:16', focus: 'text', quality: 'fast' },
        models,
        mayWarn: true,
      },
    })
    expect(warnings).toEqual([expect.stringMatching(/^Lines of text are wider than the crop, and are cut\./)])
  })

  it('refuses points that move nothing', () => {
    const window = { startSeconds: 0, endSeconds: 5 }
    const refuse = (settings: object) => clipWindowEndpoint.validate(window, settings)
    const point = { start: 1, end: 2, x: 0.5, y: 0.5 }
    expect(refuse({ aspect: '1:1', focus_points: [{ ...point, end: 1 }] })).toMatch(/ends at 1, which is not after/)
    expect(refuse({ focus: 'text' })).toMatch(/need an aspect/)
    expect(refuse({ aspect: '9:16', fit: 'pad', focus_points: [point] })).toMatch(/"fit": "crop"/)
    expect(refuse({ aspect: '9:16', focus: { x: 0.5, y: 0.5 }, focus_points: [point] })).toBeUndefined()
  })

  it('needs a picture', async () => {
    const settings = { aspect: '9:16' }
    const refusal = { code: 'no_video_track', message: /settings\.aspect needs one/ }
    await expect(runEndpoint(clipWindowEndpoint, { file: speech, start: 0, settings })).rejects.toMatchObject(refusal)
    const window = { startSeconds: 0, endSeconds: 5 }
    expect(clipWindowEndpoint.validate(window, { ...settings, audio_only: true })).toMatch(/audio_only/)
    expect(clipWindowEndpoint.validate(window, { height: 360, format: 'mp3' })).toMatch(/height.*mp3 cannot hold/)
    expect(clipWindowEndpoint.validate(window, { ...settings, format: 'webm' })).toBeUndefined()
    expect(clipNearEndpoint.validate({ ...window, endSeconds: null }, { ...settings, audio_only: true })).toMatch(
      /audio_only/,
    )
  })
})
