import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import { deferLongWork, isShortWork } from '../../activities/slots.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import type { MediaEndpoint } from '../../src/endpoints/define-endpoint.ts'

const sound = { codec: 'aac', sampleRate: 48_000, channels: 2, isDefault: true }
/** Thirty-two times the samples of usual sound. */
const studio = { ...sound, codec: 'flac', sampleRate: 384_000, channels: 8 }
const film: MediaInfo = {
  ...{ format: 'mp4', durationSeconds: 3_600, bytes: 1e9, audio: [sound] },
  video: { codec: 'h264', width: 1920, height: 1080, frameRate: 25, hasVariableFrameRate: false },
}
const cue = '1\n00:00:01,000 --> 00:00:02,000\nhello\n'
const window = { startSeconds: null, endSeconds: null, settings: {} }

const moment = (start: number) => ({ start, end: start + 1 })

function mediaEndpoint(id: string): MediaEndpoint {
  const endpoint = liveEndpoint(id)
  if (!endpoint.readsMedia) throw new Error(`${id} reads no media`)
  return endpoint
}

describe('a run is short', () => {
  const clip = mediaEndpoint('video/clip-window')
  const near = mediaEndpoint('video/clip-near')
  const silence = mediaEndpoint('audio/detect-silence')
  const small = { ...film, video: film.video && { ...film.video, width: 320, height: 180 } }

  it.each([
    ['five seconds of 1080p', clip, { ...window, startSeconds: 0, endSeconds: 5 }, film, true],
    ['six seconds of 1080p', clip, { ...window, startSeconds: 0, endSeconds: 6 }, film, false],
    ['a minute of a small film', clip, { ...window, startSeconds: 0, endSeconds: 60 }, small, true],
    [
      'burnt captions',
      clip,
      { ...window, startSeconds: 0, endSeconds: 5, settings: { captions: { text: cue, as: 'burn' } } },
      small,
      false,
    ],
    ['two moments of an hour', clip, { ...window, settings: { ranges: [moment(0), moment(3_599)] } }, small, false],
    [
      'two moments of an hour, in two files',
      clip,
      { ...window, settings: { ranges: [moment(0), moment(3_599)], join: false } },
      small,
      true,
    ],
    ['two moments of ten minutes', clip, { ...window, settings: { ranges: [moment(0), moment(599)] } }, film, true],
    ['an hour of a small film', clip, { ...window, startSeconds: 0 }, small, false],
    ['ten minutes of sound', silence, window, { ...film, durationSeconds: 600 }, true],
    ['an hour of sound', silence, window, film, false],
    ['ten minutes of two tracks', silence, window, { ...film, durationSeconds: 600, audio: [sound, sound] }, false],
    ['ten minutes of many samples', silence, window, { ...film, durationSeconds: 600, audio: [studio] }, false],
    ['a quarter of a minute of many samples', silence, window, { ...film, durationSeconds: 15, audio: [studio] }, true],
    [
      'a moment',
      near,
      { ...window, startSeconds: 100, settings: { before_seconds: 1, after_seconds: 1 } },
      small,
      true,
    ],
    [
      'two joined moments of an hour',
      near,
      { ...window, settings: { moments: [10, 3_590], join: true, before_seconds: 1, after_seconds: 1 } },
      small,
      false,
    ],
  ])('%s: %#', (_what, endpoint, job, info, isShort) => {
    expect(isShortWork(job, endpoint, info)).toBe(isShort)
  })
})

describe('work that was expected to be short', () => {
  /** The result, or the error. */
  const inActivity = (work: () => Promise<unknown>, environment = new MockActivityEnvironment({ attempt: 1 })) =>
    environment.run(() => work().catch((error: unknown) => error))
  const stopped = () => Promise.reject(new Error('stopped'))

  it('is deferred when the limit stopped it', async () => {
    expect(await inActivity(() => deferLongWork(stopped, AbortSignal.abort()))).toEqual({ deferred: 'long_work' })
  })

  it('counts as done when it ended all the same', async () => {
    expect(await inActivity(() => deferLongWork(async () => 'done', AbortSignal.abort()))).toBe('done')
  })

  it('fails as other work does within the limit', async () => {
    const refused = () => Promise.reject(new ServiceError('processing_failed'))
    expect(await inActivity(() => deferLongWork(refused))).toMatchObject({ code: 'processing_failed' })
  })

  it('ends as canceled when it was canceled too', async () => {
    const environment = new MockActivityEnvironment({ attempt: 1 })
    environment.cancel()
    const outcome = await inActivity(() => deferLongWork(stopped, AbortSignal.abort()), environment)
    expect(outcome).toMatchObject({ message: 'stopped' })
  })
})
