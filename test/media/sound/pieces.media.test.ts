import { describe, expect, it } from 'vitest'
import { createCores } from '../../../src/media/sound/cores.ts'
import { type Envelope, stretchAround } from '../../../src/media/sound/envelope.ts'
import { measureEnvelope, measurePieces, splitStretch } from '../../../src/media/sound/measure-envelope.ts'
import { findSilences } from '../../../src/media/sound/silences.ts'
import { fixture, speech } from '../../fixtures/make.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

async function measuring(file: string, signal: AbortSignal = never) {
  const info = await inspectFile(file, ffmpeg, never)
  const [track = { sampleRate: 0, channels: 0 }] = info.audio
  const stretch = stretchAround({ start: 0, end: info.durationSeconds })
  const input = { path: file, format: info.format }
  return { input, trackIndex: 0, track, stretch, ffmpeg, cores: createCores(1), signal, onProgress: () => {} }
}

async function wholeAndPieces(file: string): Promise<[Envelope, Envelope]> {
  const input = await measuring(file)
  return [await measurePieces(input, [input.stretch]), await measurePieces(input, splitStretch(input.stretch, 3))]
}

describe('an envelope measured in pieces', () => {
  it.each(['speech.mp3', 'speech.ogg'] as const)('is the same to the bit as in one piece, from %s', async (name) => {
    const [whole, pieces] = await wholeAndPieces(await fixture(name))
    expect(pieces).toEqual(whole)
  })

  it('is the same to the bit, from WAV', async () => {
    const [whole, pieces] = await wholeAndPieces(speech)
    expect(pieces).toEqual(whole)
  })

  it('has silences within a window of those in one piece, from AAC, whose decoder makes up noise as it goes', async () => {
    for (const name of ['speech.m4a', 'speech.aac'] as const) {
      const [whole, pieces] = await wholeAndPieces(await fixture(name))
      expect(pieces.frames).toBe(whole.frames)
      const window = { start: 0, end: whole.endMs / 1000 }
      const options = { window, amplitude: 0.0316, minSilenceSeconds: 0.1 }
      const [expected, found] = [findSilences(whole, options), findSilences(pieces, options)]
      expect(found.length).toBeGreaterThan(50)
      const withinAWindow = ({ start, end }: { start: number; end: number }) => ({
        start: expect.closeTo(start, 2.7),
        end: expect.closeTo(end, 2.7),
      })
      expect(found).toEqual(expected.map(withinAWindow))
    }
  })

  it('keeps its place where a piece starts in a gap of the timestamps', async () => {
    const [whole, pieces] = await wholeAndPieces(await fixture('long-gap.mp4'))
    const window = { start: 0, end: 40 }
    const options = { window, amplitude: 0.01, minSilenceSeconds: 1 }
    expect(findSilences(pieces, options)).toEqual(findSilences(whole, options))
  })

  it('ends every decoder and tells the reason where it is aborted', async () => {
    const controller = new AbortController()
    const input = await measuring(await fixture('speech.mp3'), controller.signal)
    const measured = measurePieces(
      { ...input, onProgress: () => controller.abort(new Error('enough')) },
      splitStretch(input.stretch, 2),
    )
    await expect(measured).rejects.toThrow('enough')
  })

  it('fails as a whole where one piece fails', async () => {
    const input = await measuring(speech)
    const failing = { ...input, input: { ...input.input, path: `${speech}.gone` } }
    await expect(measurePieces(failing, splitStretch(input.stretch, 2))).rejects.toMatchObject({ code: 'server_error' })
  })
})

describe('how many pieces', () => {
  /** The pieces of 25 minutes that a run of so many cores starts decoders for. */
  async function piecesOf(cores: ReturnType<typeof createCores>, format: 'mp4' | 'webm' = 'mp4') {
    let started = 0
    const run = async () => {
      started += 1
      return { decodeErrors: 0 }
    }
    const stretch = { startMs: 0, endMs: 25 * 60_000 }
    const input = {
      ...{ input: { path: '', format }, trackIndex: 0, track: { sampleRate: 100, channels: 1 }, stretch, cores },
      ...{ ffmpeg: { ...ffmpeg, run }, signal: never, onProgress: () => {} },
    }
    await cores.use(() => measureEnvelope(input))
    return started
  }

  it('is one for each idle core, none shorter than five minutes', async () => {
    expect(await piecesOf(createCores(1))).toBe(1)
    expect(await piecesOf(createCores(3))).toBe(3)
    expect(await piecesOf(createCores(16))).toBe(5)
  })

  it('is one while other steps keep the cores', async () => {
    const cores = createCores(2)
    expect(await cores.use(() => piecesOf(cores))).toBe(1)
    expect(await piecesOf(cores)).toBe(2)
  })

  it('is one for WebM', async () => {
    expect(await piecesOf(createCores(4), 'webm')).toBe(1)
  })
})
