import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clipWindowEndpoint } from '../../../src/endpoints/video-clip-window/declaration.ts'
import { copyBudget } from '../../../src/media/copying/copy-bounds.ts'
import { makeClip } from '../../../src/media/copying/make-clip.ts'
import { inspectMedia, isStreamable } from '../../../src/media/inspect/inspect.ts'
import { prefetch } from '../../../src/media/inspect/prefetch.ts'
import { sourceTracks } from '../../../src/media/inspect/tracks.ts'
import { createCores } from '../../../src/media/sound/decode-audio.ts'
import { encodeEnvelope } from '../../../src/media/sound/envelope.ts'
import { measureEnvelope } from '../../../src/media/sound/envelopes.ts'
import { fileSource, type MediaSource } from '../../../src/media/source/media-source.ts'
import { fixture } from '../../fixtures/make.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { never, testFfmpeg } from '../measure.ts'
import { fetchedSource } from './fetched-source.ts'

const ffmpeg = testFfmpeg()

async function envelopeOf(source: MediaSource) {
  const info = await inspectMedia(source, ffmpeg, never)
  const [track] = info.audio
  if (!track) throw new Error('no audio')
  return measureEnvelope({
    input: source.input(info.format, { cache: false }),
    ...{ trackIndex: 0, track, stretch: { startMs: 0, endMs: 60_000 }, ffmpeg, cores: createCores(1), signal: never },
    onProgress: () => {},
  })
}

describe('media that is fetched while it is read', () => {
  it.each([
    'long-film.mp4',
    'long-film-index-first.mp4',
    'beeps.mov',
    'speech.m4a',
    'beeps.wav',
    'beeps.webm',
    'speech.mp3',
    'beeps.aac',
    'speech.ogg',
  ] as const)('is what its file is: %s', async (name) => {
    const file = await fixture(name)
    const { media } = await fetchedSource(file)
    expect(await inspectMedia(media, ffmpeg, never)).toEqual(await inspectMedia(await fileSource(file), ffmpeg, never))
  })

  it.each(['long-film.mp4', 'long-film-index-first.mp4'] as const)(
    'is read once, in order, while it is decoded, and is not kept: %s',
    async (name) => {
      const file = await fixture(name)
      const { media, origin, sparse } = await fetchedSource(file)
      const { size } = await stat(file)
      expect(
        encodeEnvelope(await envelopeOf(media)).equals(encodeEnvelope(await envelopeOf(await fileSource(file)))),
      ).toBe(true)
      expect(media.fetchedBytes()).toBeLessThan(size * 1.05)
      expect(origin.ranges.length).toBeLessThanOrEqual(4)
      expect((await stat(sparse)).blocks * 512).toBeLessThan(size / 3)
    },
  )

  it.each(['smart', 'copy'] as const)('is cut by %s from the bytes around the window, as its file is', async (mode) => {
    const file = await fixture('long-film.mp4')
    const { media } = await fetchedSource(file)
    const { size } = await stat(file)
    const cut = async (source: MediaSource) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'cut '))
      onTestFinished(() => rm(folder, { recursive: true }))
      const { receipt } = await makeClip(mode, {
        ...{ tracks: await sourceTracks(source, 'mp4', ffmpeg, never), ranges: [{ start: 33, end: 46 }] },
        ...plainClip(),
        ...{ format: 'mp4', copyBudget: copyBudget(size), outputPath: path.join(folder, 'clip.mp4'), ffmpeg },
      })
      return receipt
    }
    const receipt = await cut(media)
    expect(receipt).toMatchObject({ mode, fallbackReason: null })
    expect(receipt.framesCopied).toBeGreaterThanOrEqual(200)
    // The window is a fifth of the film. Its groups of pictures reach up to four seconds around it, and readers have buffers.
    expect(media.fetchedBytes()).toBeLessThan(size * 0.6)
    expect(receipt).toEqual(await cut(await fileSource(file)))
  })

  it.each(['exact', 'smart', 'copy'] as const)(
    'is fetched for a joined clip before it is cut by %s, which then reads next to nothing from the server',
    async (mode) => {
      const file = await fixture('long-film.mp4')
      const { media } = await fetchedSource(file)
      const { durationSeconds } = await inspectMedia(media, ffmpeg, never)
      const ranges = [
        { start: 8, end: 16 },
        { start: 50, end: 58 },
      ]
      const whole = { startSeconds: null, endSeconds: null }
      const windows = clipWindowEndpoint.windowsToRead?.(whole, { ranges, mode }, durationSeconds) ?? []
      await prefetch({ input: media.input('mp4'), windows, ffmpeg, signal: never })
      const fetched = media.fetchedBytes() ?? 0
      const folder = await mkdtemp(path.join(tmpdir(), 'cut '))
      onTestFinished(() => rm(folder, { recursive: true }))
      const { receipt } = await makeClip(mode, {
        ...{ tracks: await sourceTracks(media, 'mp4', ffmpeg, never), ranges, ...plainClip(), format: 'mp4' },
        ...{ copyBudget: copyBudget(media.bytes), outputPath: path.join(folder, 'clip.mp4'), ffmpeg },
      })
      expect(receipt).toMatchObject({ mode, fallbackReason: null })
      // Half of the film lies between the ranges. Buffers are read ahead behind the last one.
      expect(media.fetchedBytes()).toBeLessThan(fetched + media.bytes / 8)
    },
  )

  it('is worth nothing where its server fails in the middle: no half of an analysis, and the error of the server', async () => {
    const drops = { afterBytes: 3_000_000, times: 1_000 }
    const { media } = await fetchedSource(await fixture('long-film-index-first.mp4'), { drops })
    const measuring = envelopeOf(media).then(({ frames }) => frames)
    await expect(measuring).rejects.toMatchObject({ code: 'media_unreachable', retryable: true })
    expect(media.failed.aborted).toBe(true)
  })

  it('takes nothing from the time of the tools that wait for a slow server, whose own time is limited', async () => {
    const { media } = await fetchedSource(await fixture('beeps.wav'), { msPerPiece: 250 })
    const listen = { outputOptions: ['-f', 'null'], output: () => {}, signal: never }
    await ffmpeg.run({ ...listen, input: media.input('wav', { cache: false }), deadlineSeconds: 1 })
    expect(media.input('wav').served?.waitedMs()).toBeGreaterThan(1000)

    const { media: fast } = await fetchedSource(await fixture('beeps.wav'))
    const endless = { ...listen, input: fast.input('wav'), inputOptions: ['-stream_loop', '-1'] }
    await expect(ffmpeg.run({ ...endless, deadlineSeconds: 0.2 })).rejects.toMatchObject({ code: 'timed_out' })
  })

  it('is served at addresses that nobody can guess', async () => {
    const { media } = await fetchedSource(await fixture('beeps.wav'))
    const { path: url } = media.input('wav')
    expect(new URL(url).hostname).toBe('127.0.0.1')
    expect(new URL(url).pathname.length).toBeGreaterThan(32)
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(`${url}x`)).status).toBe(404)
    expect((await fetch(new URL('/', url))).status).toBe(404)
    expect((await fetch(url, { method: 'POST' })).status).toBe(404)
    await media.close()
    expect((await fetch(url)).status).toBe(404)
  })
})

it('of one index or none is told apart', async () => {
  const says = async (name: Parameters<typeof fixture>[0]) => isStreamable(await fileSource(await fixture(name)), never)
  expect(await says('long-film.mp4')).toBe(true)
  expect(await says('beeps.wav')).toBe(true)
  expect(await says('speech.mp3')).toBe(false)
  expect(await says('beeps.webm')).toBe(false)
})
