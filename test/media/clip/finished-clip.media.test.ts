import { describe, expect, it } from 'vitest'
import { type CutMode, readFinishedClip } from '../../../src/media/clip/clip-receipt.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { fixture } from '../../fixtures/make.ts'
import { never, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

/** A file of five seconds as the clip of a window that ends at another time. */
async function finish(end: number, mode: CutMode) {
  const input = { path: await fixture('surround.m4a'), format: 'm4a' as const }
  const tracks = await readTracks(input, ffmpeg, never)
  const plan = {
    ...{ requested: [{ start: 0, end }], leftOut: [], zeroSeconds: 0, endZeroSeconds: 0, plannedFrames: 0 },
    ...{ video: null, audio: tracks.audio, picture: null, captions: null, mode, framesCopied: 0 },
  }
  const { durationSeconds } = tracks
  const clip = readFinishedClip(input, {
    tracks,
    plan,
    decodeErrors: 0,
    remarks: [],
    loudnessLufs: null,
    ffmpeg,
    signal: never,
  })
  return { clip, durationSeconds }
}

describe('a finished clip', () => {
  it('fails if its sound is longer than asked', async () => {
    const { durationSeconds } = await finish(1, 'copy')
    await expect((await finish(durationSeconds - 0.2, 'exact')).clip).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining('not be in its place'),
    })
    await expect((await finish(durationSeconds - 0.2, 'smart')).clip).rejects.toMatchObject({
      code: 'processing_failed',
    })
  })

  it('may pad its sound by a frame, and start a copy early', async () => {
    const { durationSeconds } = await finish(1, 'copy')
    await expect((await finish(durationSeconds - 0.03, 'exact')).clip).resolves.toBeDefined()
    await expect((await finish(durationSeconds - 0.2, 'copy')).clip).resolves.toBeDefined()
  })
})
