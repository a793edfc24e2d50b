import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clipNearEndpoint } from '../../src/endpoints/video-clip-near/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { film, fixture, speech } from '../fixtures/make.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { never, pcmOf, temporaryFolder } from '../media/measure.ts'
import { models, whySkipped } from '../setup/models.ts'
import { mediaTools } from '../setup/tools.ts'
import { ffmpeg, runEndpoint } from './run-endpoint.ts'

/** Two seconds. */
async function filmInOgg(): Promise<string> {
  const file = path.join(temporaryFolder(), 'film.ogv')
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25:duration=2', '-f', 'lavfi', '-i', 'sine=duration=2']
  const codecs = ['-pix_fmt', 'yuv420p', '-c:v', 'libtheora', '-c:a', 'libvorbis']
  await promisify(execFile)(mediaTools.ffmpegPath, ['-nostdin', '-v', 'error', ...inputs, ...codecs, file])
  return file
}

const times = z.object({ start: z.number(), end: z.number() })

describe('clip-window', () => {
  it('makes one file of the window, in the container of the source', async () => {
    const { files, result, billedMilliseconds } = await runEndpoint(clipWindowEndpoint, {
      ...{ file: film, start: 1, end: 2.5, settings: { quality: 'fast' } },
    })
    const clip = {
      fileName: 'clip.mp4',
      label: 'clip-0m01s',
      contentType: 'video/mp4',
      durationSeconds: 1.5,
      width: 1280,
      height: 720,
    }
    const poster = {
      fileName: 'clip.jpg',
      label: 'clip-0m01s',
      contentType: 'image/jpeg',
      role: 'preview',
      width: 1280,
      height: 720,
    }
    expect(files).toEqual([expect.objectContaining(clip), expect.objectContaining(poster)])
    expect(result['receipt']).toMatchObject({ requested: { start: 1, end: 2.5 }, mode: 'exact', frames_copied: 0 })
    expect(billedMilliseconds).toBe(1_500)
  })

  it('makes MP4 of a film in Ogg, because clips in Ogg have sound alone', async () => {
    const { files } = await runEndpoint(clipWindowEndpoint, { file: await filmInOgg(), start: 1, end: 2 })
    expect(files[0]).toMatchObject({ fileName: 'clip.mp4', durationSeconds: 1, width: 64 })
  })

  it('bills the window that was asked for, not the longer one that a copy shows', async () => {
    const { result, billedMilliseconds } = await runEndpoint(clipWindowEndpoint, {
      ...{ file: film, start: 1, end: 2.5, settings: { mode: 'copy' } },
    })
    const { presented } = z.object({ presented: times }).parse(result['receipt'])
    expect(result['receipt']).toMatchObject({ mode: 'copy', frames_encoded: 0 })
    expect(presented.end - presented.start).toBeGreaterThan(1.5)
    expect(billedMilliseconds).toBe(1_500)
  })

  it('says why a smart clip is exact', async () => {
    const { result } = await runEndpoint(clipWindowEndpoint, {
      ...{ file: speech, start: 1, end: 2.5, settings: { mode: 'smart' } },
    })
    expect(result['receipt']).toMatchObject({ mode: 'exact', fallback_reason: 'there is no picture to copy' })
  })

  it('continues to the end of the media without an end', async () => {
    const { files } = await runEndpoint(clipWindowEndpoint, { file: speech, start: 70 })
    expect(files[0]).toMatchObject({ fileName: 'clip.wav', durationSeconds: 3.349, width: null })
  })

  it('with audio_only leaves out the picture, in the audio container of the same family', async () => {
    const { files, result } = await runEndpoint(clipWindowEndpoint, {
      file: film,
      start: 1,
      end: 2,
      settings: { audio_only: true },
    })
    expect(files[0]).toMatchObject({ fileName: 'clip.m4a', contentType: 'audio/mp4', width: null })
    expect(result['receipt']).toMatchObject({ video_codec: null, dropped_streams: ['video (h264)'] })
  })

  it("does not bill a codec's padding", async () => {
    const { billedMilliseconds } = await runEndpoint(clipWindowEndpoint, {
      file: speech,
      start: 1,
      end: 2,
      settings: { format: 'aac' },
    })
    expect(billedMilliseconds).toBe(1_000)
  })
})

describe('clip-near', () => {
  it('moves its edges to quiet points', async () => {
    const settings = { before_seconds: 3, after_seconds: 3, quiet_threshold: -40 }
    const { result, files } = await runEndpoint(clipNearEndpoint, { file: speech, start: 30, settings })
    expect(result['window']).toMatchObject({
      moment: 30,
      start_edge: { asked: 27, reason: 'quiet' },
      end_edge: { asked: 33, reason: 'quiet' },
    })
    const [file] = files
    const samples = await pcmOf(file?.path ?? '')
    const loudest = (part: Int16Array) => part.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    // Below -40 dBFS for 40 ms at each end.
    expect(loudest(samples.subarray(0, 320))).toBeLessThan(328)
    expect(loudest(samples.subarray(-320))).toBeLessThan(328)
  })

  it('uses the least loud point if nothing is quiet, and reports it', async () => {
    const settings = { before_seconds: 2, after_seconds: 1, quiet_threshold: -90 }
    const { result } = await runEndpoint(clipNearEndpoint, { file: await fixture('surround.m4a'), start: 3, settings })
    expect(result['window']).toMatchObject({ start_edge: { reason: 'no_quiet_point' } })
  })

  it.skipIf(!models.has('voice-activity'))(
    `moves its edges to pauses of speech that nothing makes quiet${whySkipped}`,
    async () => {
      const ask = {
        file: await fixture('speech-music.wav'),
        start: 30,
        settings: { before_seconds: 9, after_seconds: 9 },
      }
      const { result: without } = await runEndpoint(clipNearEndpoint, ask)
      expect(without['window']).toMatchObject({ start_edge: { reason: 'no_quiet_point' } })
      const { result } = await runEndpoint(clipNearEndpoint, { ...ask, models })
      const { start, end } = times.parse(result['window'])
      expect(result['window']).toMatchObject({
        start_edge: { reason: 'between_words' },
        end_edge: { reason: 'between_words' },
      })
      // The same words without music are quiet there.
      const clean = await pcmOf(speech)
      const loudest = (at: number) =>
        Math.max(...clean.subarray((at - 0.02) * 8_000, (at + 0.02) * 8_000).map(Math.abs))
      expect([loudest(start), loudest(end)].every((sample) => sample < 583)).toBe(true)
    },
  )

  it('moves its edges to keyframes', async () => {
    const settings = { before_seconds: 1.5, after_seconds: 1.5, snap: 'keyframe', quality: 'fast' }
    const { result } = await runEndpoint(clipNearEndpoint, { file: await fixture('numbered.mp4'), start: 3, settings })
    expect(result['window']).toMatchObject({
      start_edge: { asked: 1.5, chosen: 2, reason: 'keyframe' },
      end_edge: { asked: 4.5, chosen: 4, reason: 'keyframe' },
    })
  })

  it('with snap none keeps the requested edges, within the media', async () => {
    const settings = { before_seconds: 1, after_seconds: 9, snap: 'none' }
    const { result, files } = await runEndpoint(clipNearEndpoint, {
      file: await fixture('phone.wav'),
      start: 1.5,
      settings,
    })
    expect(result['window']).toMatchObject({
      start: 0.5,
      end: 3,
      start_edge: { reason: 'asked' },
      end_edge: { asked: 3, reason: 'end_of_media' },
    })
    expect(files[0]?.durationSeconds).toBe(2.5)
  })

  it('keeps the requested edges without audio, and warns', async () => {
    const settings = { before_seconds: 1, after_seconds: 1 }
    const { result, warnings } = await runEndpoint(clipNearEndpoint, {
      ...{ file: await fixture('no-audio.mp4'), start: 1.5, settings, mayWarn: true },
    })
    expect(result['window']).toMatchObject({ start_edge: { reason: 'asked' }, end_edge: { reason: 'asked' } })
    expect(warnings).toEqual([expect.stringContaining('no sound to find a quiet point in')])
  })

  it('puts the clips of several moments into one file, in the order of time, and what two of them have once', async () => {
    const settings = { moments: [30, 5, 6], before_seconds: 1, after_seconds: 1, join: true, snap: 'none' as const }
    const { result, files, billedMilliseconds } = await runEndpoint(clipNearEndpoint, { file: speech, settings })
    const { windows, receipts } = z
      .object({
        windows: z.array(z.object({ moment: z.number() })),
        receipts: z.array(
          z.object({ ranges: z.array(z.object({ requested: z.object({ start: z.number(), end: z.number() }) })) }),
        ),
      })
      .parse(result)
    expect(windows.map(({ moment }) => moment)).toEqual([30, 5, 6])
    expect(files.filter(({ role }) => role !== 'preview')).toHaveLength(1)
    expect(receipts.map(({ ranges }) => ranges.map(({ requested }) => requested))).toEqual([
      [
        { start: 4, end: 7 },
        { start: 29, end: 31 },
      ],
    ])
    expect(billedMilliseconds).toBe(5_000)
  })

  it('makes a clip for each of several moments, with receipts in order', async () => {
    const settings = { moments: [5, '00:20', 71], before_seconds: 1, after_seconds: 1 }
    const { files, result, billedMilliseconds } = await runEndpoint(clipNearEndpoint, { file: speech, settings })
    expect(files.map(({ fileName }) => fileName)).toEqual(['clip-1.wav', 'clip-2.wav', 'clip-3.wav'])
    expect(result['windows']).toHaveLength(3)
    expect(result['receipts']).toHaveLength(3)
    const lengths = await Promise.all(
      files.map(async ({ path }) => (await inspectFile(path, ffmpeg, never)).durationSeconds),
    )
    expect(lengths.map((seconds) => Math.round(seconds * 1000))).toEqual(
      files.map(({ durationSeconds }) => Math.round(durationSeconds * 1000)),
    )
    expect(billedMilliseconds).toBe(
      files.reduce((sum, { durationSeconds }) => sum + Math.round(durationSeconds * 1000), 0),
    )
    expect((await stat(files[2]?.path ?? '')).size).toBeGreaterThan(10_000)
  })

  it('reads a kept envelope of the whole media once for all edges', async () => {
    const window = { start: 0, end: (await inspectFile(speech, ffmpeg, never)).durationSeconds }
    let reads = 0
    const { result } = await runEndpoint(clipNearEndpoint, {
      ...{ file: speech, settings: { moments: [5, 20, 40], before_seconds: 1, after_seconds: 1 } },
      envelopesFrom: (measured) => ({
        ...measured,
        get: (request) => {
          reads += 1
          return measured.get({ ...request, window })
        },
      }),
    })
    expect(result['windows']).toHaveLength(3)
    expect(reads).toBe(1)
  })

  it('refuses a moment past the end before any work', async () => {
    const asked = runEndpoint(clipNearEndpoint, { file: speech, settings: { moments: [5, 90] } })
    await expect(asked).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
