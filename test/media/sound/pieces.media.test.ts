import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCores } from '../../../src/media/sound/decode-audio.ts'
import { type Envelope, encodeEnvelope, stretchAround } from '../../../src/media/sound/envelope.ts'
import {
  type MeasureInput,
  measureEnvelope,
  measurePiece,
  measurePieces,
  restoreEnvelope,
  splitStretch,
} from '../../../src/media/sound/envelopes.ts'
import { findSilences } from '../../../src/media/sound/silences.ts'
import { fixture, speech } from '../../fixtures/make.ts'
import { storeIn } from '../clip/piece-store.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

async function measuring(file: string, signal: AbortSignal = never): Promise<MeasureInput> {
  const info = await inspectFile(file, ffmpeg, never)
  const [track = { sampleRate: 0, channels: 0 }] = info.audio
  const stretch = stretchAround({ start: 0, end: info.durationSeconds })
  const input = { path: file, format: info.format }
  return { input, trackIndex: 0, track, stretch, ffmpeg, cores: createCores(1), signal, onProgress: () => {} }
}

async function wholeAndPieces(file: string): Promise<[Envelope, Envelope]> {
  const input = await measuring(file)
  return [await measurePieces(input, [input.stretch], 1), await measurePieces(input, splitStretch(input.stretch, 3), 1)]
}

describe('an envelope measured in pieces', () => {
  it.each(['speech.mp3', 'speech.ogg', 'speech.opus', 'speech.flac'] as const)(
    'is the same to the bit as in one piece, from %s',
    async (name) => {
      const [whole, pieces] = await wholeAndPieces(await fixture(name))
      expect(pieces).toEqual(whole)
    },
  )

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
      const [expected, found] = await Promise.all([findSilences(whole, options), findSilences(pieces, options)])
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
    expect(await findSilences(pieces, options)).toEqual(await findSilences(whole, options))
  })

  it('ends every decoder and tells the reason where it is aborted', async () => {
    const controller = new AbortController()
    const input = await measuring(await fixture('speech.mp3'), controller.signal)
    const measured = measurePieces(
      { ...input, onProgress: () => controller.abort(new Error('enough')) },
      splitStretch(input.stretch, 2),
      2,
    )
    await expect(measured).rejects.toThrow('enough')
  })

  it('fails as a whole where one piece fails', async () => {
    const input = await measuring(speech)
    const failing = { ...input, input: { ...input.input, path: `${speech}.gone` } }
    await expect(measurePieces(failing, splitStretch(input.stretch, 2), 2)).rejects.toMatchObject({
      code: 'server_error',
    })
  })
})

describe('the envelope of half an hour', () => {
  const hashOf = (envelope: Envelope) => createHash('sha256').update(encodeEnvelope(envelope)).digest('hex')

  it.each([
    ...(['half-hour.m4a', 'half-hour.mp3', 'half-hour.webm', 'half-hour.wav', 'half-hour.flac'] as const),
    // Its pictures are of variable length.
    'half-hour.mp4' as const,
  ])('is the same to the bit in one run and in parts of several workers, from %s', async (name) => {
    const input = await measuring(await fixture(name))
    const inOneRun = hashOf(await measureEnvelope(input))

    const kept = storeIn(temporaryFolder())
    const onWorker = () => ({ ...input, storedIn: { folder: temporaryFolder(), store: kept.store } })
    const pieces = splitStretch(input.stretch)
    expect(pieces).toHaveLength(4)
    for (const piece of pieces.toReversed()) await measurePiece(onWorker(), piece)
    expect(kept.names()).toHaveLength(4)
    const blind = { ...ffmpeg, run: () => Promise.reject(new Error('decoded again')) }
    expect(hashOf(await measureEnvelope({ ...onWorker(), ffmpeg: blind }))).toBe(inOneRun)
    const restored = await restoreEnvelope(onWorker())
    expect(restored && hashOf(restored)).toBe(inOneRun)
    kept.lose(kept.names()[0] ?? '')
    expect(await restoreEnvelope(onWorker())).toBeUndefined()
  })
})

describe('how many pieces', () => {
  /** Measures 25 minutes on the cores. Returns the highest number of decoders that ran simultaneously, and the number of pieces. */
  async function decodersOf(cores: ReturnType<typeof createCores>, input: MeasureInput['input']) {
    let [running, most, pieces] = [0, 0, 0]
    const run = async () => {
      pieces += 1
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return { decodeErrors: 0 }
    }
    const stretch = { startMs: 0, endMs: 25 * 60_000 }
    const measured = {
      ...{ input, trackIndex: 0, track: { sampleRate: 100, channels: 1 }, stretch, cores },
      ...{ ffmpeg: { ...ffmpeg, run }, signal: never, onProgress: () => {} },
    }
    await cores.use(() => measureEnvelope(measured))
    return { pieces, most }
  }
  const onDisk = (format: 'mp4' | 'webm' | 'mp3' = 'mp4') => ({ path: '', format })

  it('depends on the length alone, and how many are decoded simultaneously on the idle cores', async () => {
    expect(await decodersOf(createCores(1), onDisk())).toEqual({ pieces: 3, most: 1 })
    expect(await decodersOf(createCores(2), onDisk('webm'))).toEqual({ pieces: 3, most: 2 })
    expect(await decodersOf(createCores(16), onDisk('mp3'))).toEqual({ pieces: 3, most: 3 })
    const cores = createCores(2)
    expect(await cores.use(() => decodersOf(cores, onDisk()))).toEqual({ pieces: 3, most: 1 })
  })

  it('is the same of fetched media, whose pieces follow each other', async () => {
    const fetched = { ...onDisk(), served: { failed: never, waitedMs: () => 0, claimKeys: [] } }
    expect(await decodersOf(createCores(16), fetched)).toEqual({ pieces: 3, most: 1 })
  })

  it('is at most 192 in the audio of one job, of 24 hours', () => {
    expect(splitStretch({ startMs: 0, endMs: 24 * 3_600_000 })).toHaveLength(192)
  })
})
