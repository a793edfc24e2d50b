import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import type { MediaEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { bestFramesEndpoint } from '../../src/endpoints/video-best-frames/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { textFramesEndpoint } from '../../src/endpoints/video-text-frames/declaration.ts'
import { thumbnailScoreEndpoint } from '../../src/endpoints/video-thumbnail-score/declaration.ts'
import { film, fixture } from '../fixtures/make.ts'
import { filmWithText, shownTexts } from '../fixtures/text-film.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { colourOf, framesOf, masteringOf, never, pictureOf, temporaryFolder } from '../media/measure.ts'
import { models, whySkipped } from '../setup/models.ts'
import { runFfmpeg } from '../setup/tools.ts'
import { ffmpeg, runEndpoint } from './run-endpoint.ts'

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

const svtav1 = ['-c:v', 'libsvtav1', '-preset', '10', '-crf', '20', '-svtav1-params', 'lp=1']
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '2M']
const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1']
const prores = ['-c:v', 'prores_ks', '-profile:v', 'proxy', '-pix_fmt', 'yuv422p10le']
const mpeg2 = ['-r', '25', '-c:v', 'mpeg2video', '-b:v', '8M', '-flags', '+ilme+ildct']
const dnxhr = ['-c:v', 'dnxhd', '-profile:v', 'dnxhr_lb', '-pix_fmt', 'yuv422p']
/** The right quarter is transparent. */
const clear = "format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='if(lt(X,480),255,0)'"
const onBlack = 'drawbox=x=480:w=160:h=360:color=black:t=fill'

/** Two shots, of film and of a face, each for two seconds. */
async function shotsAs(name: string, filter: string, codec: readonly string[]): Promise<string> {
  const file = path.join(temporaryFolder(), name)
  const from = ['-ss', '6', '-t', '4', '-i', await fixture('shots.mp4'), '-vf', filter]
  await runFfmpeg(...from, ...codec, file)
  return file
}

/** How much two pictures differ, of 255, on average. */
function differenceOf(one: Uint8Array, other: Uint8Array): number {
  expect(one).toHaveLength(other.length)
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length
}

const shown = z.object({
  frames: z.array(z.object({ time: z.number(), faces: z.array(z.unknown()) })).min(1),
})

describe.skipIf(!models.has('find-faces'))(`frames of${whySkipped}`, () => {
  it.each([
    ['AV1 in MP4', 'av1.mp4', 'null', svtav1, 'null'],
    ['AV1 of 10 bits in Matroska', 'av1.mkv', 'format=yuv420p10le', svtav1, 'null'],
    ['AV1 in WebM', 'av1.webm', 'null', svtav1, 'null'],
    ['VP9 with transparency', 'clear.webm', clear, [...vp9, '-auto-alt-ref', '0'], onBlack],
    ['VP9 of 10 bits', 'deep.webm', 'format=yuv420p10le', vp9, 'null'],
    ['H.265 of 10 bits', 'deep.mp4', 'format=yuv420p10le', x265, 'null'],
    ['ProRes', 'prores.mov', 'null', prores, 'null'],
    ['interlaced MPEG-2', 'fields.mkv', 'setfield=tff', mpeg2, 'null'],
    ['DNxHR', 'dnxhr.mov', 'null', dnxhr, 'null'],
  ] as const)('%s are found, scored and written as they are shown', async (_what, name, filter, codec, looks) => {
    const file = await shotsAs(name, filter, codec)
    const seen = (picture: string, from = 'null') => pictureOf(picture, `${from},scale=64:36:flags=area`)
    const at = async (seconds: number) =>
      seen(await fixture('shots.mp4'), `select=gte(t\\,${6 + seconds - 0.001}),${looks}`)
    const best = await runEndpoint(bestFramesEndpoint, { file, models, settings: { count: 2 }, mayWarn: true })
    const { frames } = shown.parse(best.result)
    expect(frames).toContainEqual(expect.objectContaining({ faces: [expect.anything()] }))
    for (const [index, { time }] of frames.entries()) {
      expect(best.files[index]).toMatchObject({ width: 640, height: 360, contentType: 'image/jpeg' })
      const still = await seen(best.files[index]?.path ?? '')
      expect(differenceOf(still.rgb, (await at(time)).rgb)).toBeLessThan(6)
    }
    const settings = { times: [3], crops: ['16:9'] }
    const scored = await runEndpoint(thumbnailScoreEndpoint, { file, models, settings, mayWarn: true })
    expect(shown.parse(scored.result).frames).toMatchObject([{ time: 3, faces: [expect.anything()] }])
    const crop = await seen(scored.files[0]?.path ?? '')
    expect(differenceOf(crop.rgb, (await at(3)).rgb)).toBeLessThan(6)
  })
})

it.skipIf(!models.has('read-text'))(`text on the screen of AV1 is read${whySkipped}`, async () => {
  const file = path.join(temporaryFolder(), 'text.mkv')
  const av1 = ['-c:v', 'libsvtav1', '-preset', '10', '-crf', '20', '-svtav1-params', 'lp=1', '-an']
  await runFfmpeg('-i', await filmWithText(), ...av1, file)
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
