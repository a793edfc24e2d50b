import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clipNearEndpoint } from '../../src/endpoints/video-clip-near/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { fixture, speech } from '../fixtures/make.ts'
import { pictureOf } from '../media/measure.ts'
import { models, whySkipped } from '../setup/models.ts'
import { runEndpoint } from './run-endpoint.ts'

const picture = z.object({ receipt: z.object({ picture: z.record(z.string(), z.unknown()) }) })

describe('the shape of a clip', () => {
  it.skipIf(!models.has('find-faces'))(
    `keeps the face inside in 95 % of frames of a crop, and follows a cut${whySkipped}`,
    async () => {
      const { files, result } = await runEndpoint(clipWindowEndpoint, {
        ...{ file: await fixture('walking-face.mp4'), start: 0, settings: { aspect: '9:16', quality: 'fast' }, models },
      })
      expect(picture.parse(result).receipt.picture).toEqual({
        ...{ width: 202, height: 360, aspect: '9:16', fit: 'crop', follows: 'faces' },
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

  it('is cropped around the centre without a model for faces, and is not enlarged', async () => {
    const { result, files, warnings } = await runEndpoint(clipNearEndpoint, {
      file: await fixture('shots.mp4'),
      ...{
        start: 5,
        settings: { before_seconds: 0.5, after_seconds: 0.5, aspect: '1:1', height: 1080 },
        mayWarn: true,
      },
    })
    expect(picture.parse(result).receipt.picture).toMatchObject({ height: 360, follows: 'centre' })
    expect(files.map(({ label, shape }) => [label, shape])).toEqual(Array(2).fill(['clip-0m05s', '1x1-360p']))
    expect(warnings).toContain('The clip is 360 pixels high instead of 1080, because a picture is not enlarged.')
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
