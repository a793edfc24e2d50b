import { describe, expect, it } from 'vitest'
import { inspectMedia } from '../../src/media/inspect.ts'
import { fixture } from '../fixtures/make.ts'
import { never, testFfmpeg } from './measure.ts'

const ffmpeg = testFfmpeg()

describe('files that are not what their names say', () => {
  it.each(['empty.mp4', 'text.mp4', 'playlist.mp4', 'picture.mp4', 'concat.mp4', 'words.srt'] as const)(
    '%s is refused as unsupported_file_type',
    async (name) => {
      const inspection = inspectMedia(await fixture(name), ffmpeg, never)
      await expect(inspection).rejects.toMatchObject({ code: 'unsupported_file_type', retryable: false })
    },
  )
})

describe('damaged media', () => {
  it.each(['truncated.mp4', 'truncated-index-first.mp4', 'damaged.wav'] as const)(
    '%s fails as processing_failed, and no message tells a path',
    async (name) => {
      const error: unknown = await inspectMedia(await fixture(name), ffmpeg, never).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'processing_failed', retryable: false })
      expect(String(error)).not.toMatch(/[/\\]|ffprobe|moov/)
    },
  )

  it.each([
    ['cut.mp3', 30, 45],
    ['cut.ogg', 30, 45],
    ['cut.wav', 35, 38],
  ] as const)('%s, which has no index, is as long as what is there', async (name, least, most) => {
    const { durationSeconds } = await inspectMedia(await fixture(name), ffmpeg, never)
    expect(durationSeconds).toBeGreaterThan(least)
    expect(durationSeconds).toBeLessThan(most)
  })
})
