import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { mapOrAbort } from '../../core/abortable.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import { longListeningSeconds, type MediaInfo } from '../../core/media.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { obtainPiece, type PieceFolder, pieceName } from '../obtain-piece.ts'
import type { JobMedia } from '../source/media-source.ts'
import {
  type ChosenTrack,
  type Cores,
  chooseTracks,
  decodeAudio,
  decodeWhole,
  type TrackInput,
} from './decode-audio.ts'
import {
  cellMs,
  createEnvelopeJoin,
  decodeEnvelope,
  type Envelope,
  encodeEnvelope,
  envelopeVersion,
  frameAt,
  type Stretch,
  stretchAround,
} from './envelope.ts'
import { createMeter } from './meter.ts'

export interface EnvelopeRequest {
  readonly track: ChosenTrack
  /** In seconds; the envelope covers it. */
  readonly window: Segment
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}

interface FoundEnvelope {
  readonly envelope: Envelope
  /** `reused` if the envelope comes from an earlier analysis. */
  readonly analysis: 'computed' | 'reused'
}

/** The envelopes of one media, measured or reused. */
export interface Envelopes {
  get(request: EnvelopeRequest): Promise<FoundEnvelope>
  /** Whether an earlier analysis answers the request. */
  isReusable(request: EnvelopeRequest): Promise<boolean>
  /** Measures and stores one of the pieces of a very long window (`splitStretch`), which `get` then finds. */
  measurePiece(request: EnvelopeRequest, piece: Stretch): Promise<void>
}

interface MeasuredInput {
  readonly media: JobMedia
  readonly ffmpeg: Ffmpeg
  readonly cores: Cores
  readonly signal: AbortSignal
  /** The pieces of very long windows. */
  readonly storedIn?: PieceFolder
}

/** Envelopes that are measured on request. */
export function measuredEnvelopes({ media, ...tools }: MeasuredInput): Envelopes {
  const inputFor = async ({ track, window, onProgress = () => {} }: EnvelopeRequest): Promise<MeasureInput> => {
    const source = await media.open()
    // Each track is decoded in a pass of its own, so the bytes of several tracks are read again.
    const input = source.input(media.info.format, { cache: media.info.audio.length > 1 })
    return { ...tools, input, trackIndex: track.index, track, stretch: stretchAround(window), onProgress }
  }
  return {
    get: async (request) => {
      const { track, window } = request
      const stored = await restoreEnvelope({ ...tools, trackIndex: track.index, stretch: stretchAround(window) })
      return { envelope: stored ?? (await measureEnvelope(await inputFor(request))), analysis: 'computed' }
    },
    isReusable: async () => false,
    measurePiece: async (request, piece) => void (await measurePiece(await inputFor(request), piece)),
  }
}

/**
 * Envelopes of one track for windows one after another: asks for those that the last one does not cover. A kept one is of all that an
 * earlier job covered, up to 200 MB, which would be read for each window.
 */
export function lastEnvelope({ get }: Pick<Envelopes, 'get'>): Pick<Envelopes, 'get'> {
  let last: FoundEnvelope | undefined
  return {
    get: async (request) => {
      const { startMs, endMs } = stretchAround(request.window)
      const isCovered = last && last.envelope.startMs <= startMs && last.envelope.endMs >= endMs
      if (!last || !isCovered) last = await get(request)
      return last
    },
  }
}

interface ChosenTracks {
  readonly info: MediaInfo
  /** The `audio_track` setting. */
  readonly choice: 'default' | 'all' | number
  readonly window: Segment
}

interface TrackEnvelopesInput extends ChosenTracks {
  readonly envelopes: Pick<Envelopes, 'get'>
  /** 0 to 1 over all tracks. */
  readonly reportProgress: (fraction: number) => void
}

interface TrackEnvelopes {
  readonly tracks: readonly Envelope[]
  /** `reused` if no track was decoded. */
  readonly analysis: FoundEnvelope['analysis']
}

/** An hour of a track takes 9 MB of memory. */
const maxAnalysedSeconds = 24 * 3_600

/** The envelope of each chosen track. Throws `media_too_large` if they are longer than a day in total. */
export function requestsOf({ info, choice, window }: ChosenTracks): EnvelopeRequest[] {
  const chosen = chooseTracks(info, choice)
  if (chosen.length * durationOf(window) > maxAnalysedSeconds) {
    throw new ServiceError(
      'media_too_large',
      'One job analyses at most 24 hours of audio, summed over all tracks. Set start and end, or choose one audio_track.',
    )
  }
  return chosen.map((track) => ({ track, window }))
}

/** Envelopes of the chosen tracks, one after the other. */
export async function getTrackEnvelopes(input: TrackEnvelopesInput): Promise<TrackEnvelopes> {
  const { envelopes, reportProgress } = input
  const requests = requestsOf(input)
  const found: FoundEnvelope[] = []
  for (const request of requests) {
    const onProgress = (fraction: number) => reportProgress((found.length + fraction) / requests.length)
    found.push(await envelopes.get({ ...request, onProgress }))
  }
  return {
    tracks: found.map(({ envelope }) => envelope),
    analysis: found.every(({ analysis }) => analysis === 'reused') ? 'reused' : 'computed',
  }
}

export interface MeasureInput extends TrackInput {
  readonly stretch: Stretch
  /** Long stretches are decoded in pieces, simultaneously on idle cores. */
  readonly cores: Cores
  /** Where the pieces of a very long stretch are stored. Undefined if nobody measures them again. */
  readonly storedIn?: PieceFolder | undefined
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/** Starting a decoder does not pay off for shorter pieces. The most audio of a job, 24 hours, has 192 of them: a job has at most 200 parts. */
const minPieceMs = 7.5 * 60_000

/** Decodes a stretch of a track and measures its envelope. */
export async function measureEnvelope(input: MeasureInput): Promise<Envelope> {
  const pieces = splitStretch(input.stretch)
  // Fetched media is fetched in order.
  const maxConcurrency = input.input.served ? 1 : pieces.length
  return input.cores.borrow(maxConcurrency - 1, (borrowed) => measurePieces(input, pieces, borrowed + 1))
}

/**
 * The pieces of a stretch, between cells and of nearly the same length. They depend on the stretch alone, because some decoders
 * give other values where they start: the AAC decoder makes up noise as it goes, and Matroska rounds the time of a start. So every
 * worker and every attempt measures the same envelope.
 */
export function splitStretch(stretch: Stretch, count = countPieces(stretch)): Stretch[] {
  const { startMs, endMs } = stretch
  const cells = (endMs - startMs) / cellMs
  const bound = (piece: number) => startMs + Math.round((cells * piece) / count) * cellMs
  return Array.from({ length: count }, (_, piece) => ({ startMs: bound(piece), endMs: bound(piece + 1) }))
}

function countPieces({ startMs, endMs }: Stretch): number {
  return Math.max(1, Math.floor((endMs - startMs) / minPieceMs))
}

/** Measures the pieces of the stretch, up to `concurrency` of them simultaneously. If one fails, the others end first; then its error is thrown. */
export async function measurePieces(
  input: MeasureInput,
  pieces: readonly Stretch[],
  concurrency: number,
): Promise<Envelope> {
  const [only, second] = pieces
  if (only && !second) return measurePiece(input, only)
  const { add, joined } = createEnvelopeJoin(input.stretch)
  const progress = pieces.map(() => 0)
  await mapOrAbort(input.signal, { items: pieces, concurrency }, async (stretch, index, signal) => {
    const onProgress = (fraction: number) => {
      progress[index] = fraction
      input.onProgress(progress.reduce((sum, part) => sum + part, 0) / pieces.length)
    }
    add(await measurePiece({ ...input, signal, onProgress }, stretch))
  })
  return joined()
}

/** Pieces that are read from the store simultaneously. */
const restoreConcurrency = 4

/** The envelope of a very long stretch, if all of its pieces are stored: then nobody has to read the media, whose URL may have expired. */
export async function restoreEnvelope({
  storedIn,
  trackIndex,
  stretch,
  signal,
}: Pick<MeasureInput, 'storedIn' | 'trackIndex' | 'stretch' | 'signal'>): Promise<Envelope | undefined> {
  const { folder, store } = storedIn ?? {}
  if (!folder || !store || !isLong(stretch)) return undefined
  const { add, joined } = createEnvelopeJoin(stretch)
  const items = splitStretch(stretch)
  let isMissing = false
  await mapOrAbort(signal, { items, concurrency: restoreConcurrency }, async (piece, _index, either) => {
    if (isMissing) return
    const name = fileNameOf(trackIndex, piece)
    const file = path.join(folder, name)
    if ((await store.restore(name, file, either)) === undefined) isMissing = true
    else add(decodeEnvelope(await readFile(file)))
  })
  return isMissing ? undefined : joined()
}

/** Measures a piece, or reads it if it is stored; then it is stored. */
export async function measurePiece(input: MeasureInput, stretch: Stretch): Promise<Envelope> {
  const { storedIn, trackIndex, signal, onProgress } = input
  if (!storedIn || !isLong(input.stretch)) return decode(input, stretch)
  const fileName = fileNameOf(trackIndex, stretch)
  const make = async (file: string) => {
    await writeFile(file, encodeEnvelope(await decode(input, stretch)))
    // The file contains the number of decoding errors.
    return 0
  }
  await obtainPiece(storedIn, { fileName, seconds: 1, make }, signal, onProgress)
  return decodeEnvelope(await readFile(path.join(storedIn.folder, fileName)))
}

function fileNameOf(trackIndex: number, stretch: Stretch): string {
  return pieceName('envelope', { envelopeVersion, trackIndex, stretch }, 'bin')
}

function isLong({ startMs, endMs }: Stretch): boolean {
  return endMs - startMs > longListeningSeconds * 1000
}

function decode({ onProgress, ...input }: MeasureInput, stretch: Stretch): Promise<Envelope> {
  const seconds = { start: stretch.startMs / 1000, end: stretch.endMs / 1000 }
  return decodeWhole(input, seconds, async (sound) => {
    const { sampleRate } = sound.track
    const meter = createMeter({ ...stretch, ...sound.track })
    const { decodeErrors } = await decodeAudio({
      ...{ ...input, ...sound, onProgress, onSamples: meter.push },
      startFrame: frameAt(stretch.startMs, sampleRate),
      endFrame: frameAt(stretch.endMs, sampleRate),
    })
    return meter.finish(decodeErrors)
  })
}
