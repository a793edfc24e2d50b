import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import type { MediaEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { bestFramesEndpoint } from '../../src/endpoints/video-best-frames/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { textFramesEndpoint } from '../../src/endpoints/video-text-frames/declaration.ts'
import { film, fixture } from '../fixtures/make.ts'
import { filmWithText, shownTexts } from '../fixtures/text-film.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { colourOf, framesOf, masteringOf, never, temporaryFolder } from '../media/measure.ts'
import { models, whySkipped } from '../setup/models.ts'
import { mediaTools } from '../setup/tools.ts'
import { ffmpeg, runEndpoint } from './run-endpoint.ts'

const exec = promisify(execFile)
const receipts = z.object({ receipt: z.looseObject({ mode: z.string(), substitutions: z.array(z.string()) }) })

async function clip(file: string, settings: object, times = { start: 1, end: 2 }) {
  const { files, result } = await runEndpoint(clipWindowEndpoint, { file, ...times, settings })
  return { file: files[0]?.path ?? '', poster: files[1], receipt: receipts.parse(result).receipt }
}

describe.each([
  ['av1.mp4', 'av1', 'h264', 160],
  ['av1.mkv', 'av1', 'h264', 160],
  ['av1.webm', 'av1', 'vp9', 160],
  ['dnxhr.mov', 'dnxhd', 'h264', 256],
  ['prores.mov', 'prores', 'hevc', 256],
] as const)('%s', (name, codec, made, width) => {
  it('is inspected, and its pauses are found', async () => {
    const file = await fixture(name)
    expect(await inspectFile(file, ffmpeg, never)).toMatchObject({ video: { codec, width } })
    const settings = { threshold: -20, min_silence_seconds: 0.3 }
    expect((await runEndpoint(detectSilenceEndpoint, { file, settings })).result['silences']).toHaveLength(6)
  })

  it('is cut to the frame in another codec, which the receipt says', async () => {
    const file = await fixture(name)
    const { receipt, poster, ...cut } = await clip(file, { mode: 'exact' })
    expect(receipt).toMatchObject({ mode: 'exact', frames_encoded: 30, video_codec: made })
    expect(receipt.substitutions).toContain(`video codec ${codec} -> ${made}`)
    expect(poster).toMatchObject({ contentType: 'image/jpeg', width })
    const [source, shown] = [(await framesOf(file)).slice(30, 60), await framesOf(cut.file)]
    expect(shown).toHaveLength(30)
    for (const [index, { luma }] of shown.entries()) expect(Math.abs(luma - (source[index]?.luma ?? 0))).toBeLessThan(5)
  })

  it('is copied, and exact where smart was asked for', async () => {
    const file = await fixture(name)
    expect((await clip(file, { mode: 'copy' })).receipt).toMatchObject({ mode: 'copy', substitutions: [] })
    expect((await clip(file, { mode: 'smart' })).receipt).toMatchObject({
      mode: 'exact',
      fallback_reason: `smart copies H.264 and HEVC only, and the picture is ${codec}`,
    })
  })
})

it('AV1 of HDR is cut as H.265 with its depth, its colours and what is known of its screen', async () => {
  const file = await fixture('hdr10-av1.mkv')
  const made = await clip(file, { mode: 'exact' })
  expect(made.receipt.substitutions).toEqual(['video codec av1 -> hevc'])
  expect(await colourOf(made.file)).toBe('yuv420p10le,tv,bt2020nc,smpte2084,bt2020,1:1')
  expect(await masteringOf(made.file)).toBe('0.0001,0.3127,0.6800,0.6900,1000.0000,1000.0000,400.0000')
})

it.skipIf(!models.has('find-faces'))(`the best frames of AV1 are found${whySkipped}`, async () => {
  const file = await fixture('av1-shots.webm')
  const { files } = await runEndpoint(bestFramesEndpoint, { file, models, settings: { count: 2 }, mayWarn: true })
  expect(files).toHaveLength(2)
})

it.skipIf(!models.has('read-text'))(`text on the screen of AV1 is read${whySkipped}`, async () => {
  const file = path.join(temporaryFolder(), 'text.mkv')
  const av1 = ['-c:v', 'libsvtav1', '-preset', '10', '-crf', '20', '-svtav1-params', 'lp=1', '-an']
  await exec(mediaTools.ffmpegPath, ['-nostdin', '-v', 'error', '-i', await filmWithText(), ...av1, file])
  const { result } = await runEndpoint(textFramesEndpoint, { file, models })
  expect(result['lines']).toMatchObject(shownTexts.map(({ text }) => ({ text })))
})

describe('a codec that ffmpeg lacks', () => {
  /** The film with the sound or the picture under another name, and without what else names it. */
  const renamed = async (from: string, to: string) => {
    const { buffer } = await readFile(film)
    const file = path.join(temporaryFolder(), 'renamed.mp4')
    const text = Buffer.from(buffer).toString('latin1').replaceAll('esds', 'free').replaceAll(from, to)
    await writeFile(file, text, 'latin1')
    return file
  }
  const failureOf = (endpoint: MediaEndpoint, file: string) =>
    runEndpoint(endpoint, { file, start: 1, end: 2 }).catch((error: unknown) => error)

  it.each([
    ['ac-4', /the codec ac4,/],
    ['mhm1', /the codec mpegh_3d_audio,/],
    ['zzzz', /an unknown codec,/],
  ])('is named where sound is %s', async (name, message) => {
    const file = await renamed('mp4a', name)
    const error = { code: 'processing_failed', message: expect.stringMatching(message) }
    expect(await failureOf(detectSilenceEndpoint, file)).toMatchObject(error)
    expect(await failureOf(clipWindowEndpoint, file)).toMatchObject(error)
  })

  it.each([0, 1])('is left out where track %d has it and another can be decoded', async (index) => {
    const bytes = await readFile(await fixture('two-tracks.mp4'))
    const rename = (from: string, to: string) => {
      const first = bytes.indexOf(from, bytes.indexOf('moov'))
      bytes.write(to, index === 0 ? first : bytes.indexOf(from, first + 1), 'latin1')
    }
    rename('mp4a', 'apac')
    rename('esds', 'free')
    const file = path.join(temporaryFolder(), 'spatial.mp4')
    await writeFile(file, bytes)
    const { audio } = await inspectFile(file, ffmpeg, never)
    expect(audio[index]).toMatchObject({ codec: 'unknown', isEmpty: true, isDefault: false })
    expect(audio[1 - index]).toMatchObject({ codec: 'aac', isDefault: true })
    for (const mode of ['exact', 'copy']) {
      expect((await clip(file, { mode })).receipt).toMatchObject({
        mode,
        audio_codec: 'aac',
        dropped_streams: [`audio track ${index} (unknown)`],
      })
    }
    const search = (audio_track: unknown) => runEndpoint(detectSilenceEndpoint, { file, settings: { audio_track } })
    expect((await search('all')).result).toEqual((await search(1 - index)).result)
    await expect(search(index)).rejects.toMatchObject({ message: expect.stringContaining('cannot be decoded') })
  })

  it('is named where it is of the picture', async () => {
    const file = await renamed('avc1', 'zzz1')
    expect(await failureOf(clipWindowEndpoint, file)).toMatchObject({
      message: expect.stringMatching(/an unknown codec,/),
    })
  })
})
