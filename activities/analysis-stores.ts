import { constants, createWriteStream } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { pipeline as pipelineStreams, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import type { Background } from '../src/core/concurrency.ts'
import { hasCode } from '../src/core/disk.ts'
import { newId } from '../src/core/ids.ts'
import { longJsonParts, parseLongJson } from '../src/core/long-json.ts'
import type { MediaInfo } from '../src/core/media.ts'
import { durationOf } from '../src/core/segments.ts'
import {
  type AnalysisRequest,
  findAnalysis,
  findEarlierPieces,
  identityOf,
  piecesFolder,
  saveAnalysis,
  stageFolder,
} from '../src/jobs/analysis-rows.ts'
import { eraseAnalysis } from '../src/jobs/erase.ts'
import type { Job } from '../src/jobs/job-rows.ts'
import type { ObtainedPiece, PieceStore } from '../src/media/obtain-piece.ts'
import {
  type Envelope,
  EnvelopeFormatError,
  envelopeBytes,
  envelopeContentType,
  envelopeVersion,
  stretchAround,
} from '../src/media/sound/envelope.ts'
import type { EnvelopeCache } from '../src/media/sound/envelope-cache.ts'
import type { EnvelopeRequest, Envelopes } from '../src/media/sound/envelopes.ts'
import type { JobMedia } from '../src/media/source/media-source.ts'
import type { FoundAnalysis, TrackAnalyses, TrackAnalysisKind, TrackRequest } from '../src/media/track-analyses.ts'
import { fileChunks, ObjectNotFoundError, type Storage } from '../src/storage/storage.ts'
import type { Dependencies } from './dependencies.ts'
import { discardFolder } from './staged-objects.ts'

/** How analyses of one kind are stored. */
interface AnalysisFile<Value> {
  /** The object's name. */
  readonly name: string
  readonly contentType: string
  /** The bytes, in one part or several. */
  readonly encode: (value: Value) => Iterable<Buffer> | AsyncIterable<Buffer>
  readonly read: (objectKey: string) => Promise<Value>
  /** Whether `read` failed because of what is stored. */
  readonly isDamage: (error: unknown) => boolean
}

interface WantedAnalysis<Value> {
  readonly job: Job
  /** Opened if no stored analysis covers the request. */
  readonly media: JobMedia
  readonly file: AnalysisFile<Value>
  readonly wanted: AnalysisRequest
  /** The part of a stored analysis that is wanted. Undefined if it is not good enough. By default all of it. */
  readonly within?: (stored: Value) => Value | undefined
  readonly make: () => Promise<FoundAnalysis<Value>>
  readonly isWorthStoring?: boolean
  /** Runs the storing of what is made. */
  readonly background: Background
  readonly signal: AbortSignal
}

/**
 * Reuses the analysis that an earlier job of the account stored for the same bytes, or makes one, which is stored for the next job:
 * a job reads no other bytes than those of its version.
 */
async function reuseOrMake<Value>(deps: Dependencies, input: WantedAnalysis<Value>): Promise<FoundAnalysis<Value>> {
  const { job, media, file, wanted, within = (stored) => stored, make, isWorthStoring = true } = input
  const { background, signal } = input
  // What this attempt stores now may be what it needs next.
  await background.settled()
  const stored = await readAnalysis(deps, file, wanted, signal)
  const found = stored === undefined ? undefined : within(stored)
  if (found !== undefined) return { value: found, analysis: 'reused' }

  const made = await make()
  if (isWorthStoring)
    background.run(storeAnalysis(deps, job, file, { ...wanted, mediaInfo: media.info }, made.value, signal))
  return made
}

/** The stored analysis that covers the request. One that cannot be read is deleted, so that it is made again. */
async function readAnalysis<Value>(
  { db, storage, logger }: Dependencies,
  { read, isDamage }: AnalysisFile<Value>,
  wanted: AnalysisRequest,
  signal: AbortSignal,
): Promise<Value | undefined> {
  const analysis = await findAnalysis(db, wanted)
  if (!analysis) return undefined
  try {
    return await read(analysis.objectKey)
  } catch (error) {
    signal.throwIfAborted()
    logger.warn({ err: error, id: analysis.id }, 'stored analysis not readable')
    if (error instanceof ObjectNotFoundError || isDamage(error)) await eraseAnalysis({ db, storage }, analysis)
    return undefined
  }
}

/** Stores an analysis for later jobs of the account on the same bytes. The job does not depend on it: failures are logged. Never rejects. */
async function storeAnalysis<Value>(
  deps: Dependencies,
  job: Job,
  { name, contentType, encode }: AnalysisFile<Value>,
  analysis: AnalysisRequest & { readonly mediaInfo: MediaInfo },
  value: Value,
  signal: AbortSignal,
): Promise<void> {
  try {
    const id = newId('ana')
    const folder = `analyses/${id}`
    const objectKey = `${folder}/${name}`
    await stageFolder(deps.db, job.id, folder)
    await deps.storage.write(objectKey, Readable.from(encode(value)), contentType, signal)
    // Another job may have been faster.
    if (!(await saveAnalysis(deps.db, { ...analysis, id, objectKey }, folder))) await discardFolder(deps, folder)
  } catch (error) {
    if (!signal.aborted) deps.logger.warn({ err: error, jobId: job.id }, `${name} not stored`)
  }
}

interface CachedEnvelopesInput {
  readonly job: Job
  /** Opened if no stored envelope covers the request. */
  readonly media: JobMedia
  readonly measured: Envelopes
  readonly background: Background
  readonly signal: AbortSignal
}

/** Shorter windows are measured again instead. */
const minStoredSeconds = 60

/** Envelopes from the analyses of the account's earlier jobs on the same bytes; others are measured, and stored for the next job. */
export function cachedEnvelopes(deps: Dependencies, input: CachedEnvelopesInput): Envelopes {
  const { job, media, measured, background, signal } = input
  const identity = identityOf(job)
  if (!identity) return measured
  const file = envelopeFile(deps.envelopeCache)
  const analysisFor = ({ window, track }: EnvelopeRequest): AnalysisRequest => ({
    ...{ ...identity, ...stretchAround(window), format: envelopeVersion, trackIndex: track.index },
  })
  return {
    ...measured,
    isReusable: async (request) => (await findAnalysis(deps.db, analysisFor(request))) !== null,
    get: async (request) => {
      const { value: envelope, analysis } = await reuseOrMake(deps, {
        ...{ job, media, file, wanted: analysisFor(request), background, signal },
        make: async () => {
          const found = await measured.get(request)
          return { value: found.envelope, analysis: found.analysis }
        },
        isWorthStoring: isWorthStoring(request, media.info),
      })
      return { envelope, analysis }
    },
  }
}

function isWorthStoring({ window }: EnvelopeRequest, { durationSeconds }: MediaInfo): boolean {
  return durationOf(window) >= Math.min(minStoredSeconds, durationSeconds)
}

function envelopeFile(cache: EnvelopeCache): AnalysisFile<Envelope> {
  return {
    name: 'envelope',
    contentType: envelopeContentType,
    encode: envelopeBytes,
    read: async (objectKey) => cache.forceFetch(objectKey),
    isDamage: (error) => error instanceof EnvelopeFormatError,
  }
}

/** Behind the bytes of a piece: the number of decoding errors, and whether an earlier job made it. */
const trailerBytes = 5

/**
 * Stores finished pieces of a job's work for other workers, later attempts, and jobs that correct it, with the same build of ffmpeg.
 * Their folder is staged, and upkeep deletes it after the job's end, of a completed clip an hour later.
 */
export function openPieceStore(
  { db, storage, logger, ffmpegBuild }: Pick<Dependencies, 'db' | 'storage' | 'logger' | 'ffmpegBuild'>,
  job: Job,
): PieceStore {
  const own = piecesFolder(job.id, ffmpegBuild)
  let earlier: Promise<string[]> | undefined
  const restoreFrom = async (folder: string, name: string, file: string, signal: AbortSignal) => {
    try {
      await copyObject(storage, `${folder}/${name}`, file, signal)
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return undefined
      throw error
    }
    return takeTrailer(file)
  }
  const save: PieceStore['save'] = async (name, { file, decodeErrors, isReused = false }, signal) => {
    await stageFolder(db, job.id, own)
    const trailer = Buffer.alloc(trailerBytes)
    trailer.writeUInt32LE(Math.min(decodeErrors, 2 ** 32 - 1))
    trailer.writeUInt8(Number(isReused), 4)
    const object = withTrailer(fileChunks(file, signal), trailer)
    await storage.write(`${own}/${name}`, object, 'application/octet-stream', signal)
  }
  /** Only spares work, so that it never fails. */
  const restoreEarlier: PieceStore['restore'] = async (name, file, signal) => {
    try {
      earlier ??= findEarlierPieces(db, job, ffmpegBuild)
      for (const folder of await earlier) {
        const restored = await restoreFrom(folder, name, file, signal)
        if (!restored) continue
        const piece = { ...restored, isReused: true }
        // The earlier job's pieces go first.
        await save(name, { file, ...piece }, signal)
        return piece
      }
    } catch (error) {
      signal.throwIfAborted()
      logger.warn({ err: error, jobId: job.id }, 'piece of an earlier job not taken')
    }
    return undefined
  }
  return {
    restore: async (name, file, signal) =>
      (await restoreFrom(own, name, file, signal)) ?? restoreEarlier(name, file, signal),
    save,
  }
}

/** The kernel copies an object that is on a disk of this machine: passing its bytes through Node takes several times as long. */
async function copyObject(storage: Storage, key: string, file: string, signal: AbortSignal): Promise<void> {
  const object = await storage.stat(key)
  if (!object) throw new ObjectNotFoundError('no such object')
  const local = await storage.localPath(key, object.generation)
  signal.throwIfAborted()
  try {
    if (local !== undefined) return await copyFile(local, file, constants.COPYFILE_FICLONE)
  } catch (error) {
    // Another worker has stored the same piece meanwhile, and its generation is read.
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await pipeline(await storage.read(key, { signal }), createWriteStream(file), { signal })
}

async function* withTrailer(bytes: AsyncIterable<Uint8Array>, trailer: Buffer): AsyncGenerator<Uint8Array, void> {
  yield* bytes
  yield trailer
}

/** Cuts the trailer off the file, and returns what it says. Undefined for a file without one: the piece is then made again. */
async function takeTrailer(file: string): Promise<ObtainedPiece | undefined> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    if (size < trailerBytes) return undefined
    const { buffer } = await handle.read(Buffer.alloc(trailerBytes), 0, trailerBytes, size - trailerBytes)
    await handle.truncate(size - trailerBytes)
    return { decodeErrors: buffer.readUInt32LE(), isReused: buffer.readUInt8(4) > 0 }
  } finally {
    await handle.close()
  }
}

/** A day of speech has 250,000 words of 100 bytes. */
const maxAnalysisBytes = 64 * 2 ** 20

/** The content is no analysis of this format: analyse again. */
class AnalysisFormatError extends Error {
  override readonly name = 'AnalysisFormatError'
}

interface CachedTrackAnalysesInput<Value, Request extends TrackRequest> {
  readonly kind: TrackAnalysisKind<Value>
  readonly job: Job
  /** Opened if no stored analysis covers the request. */
  readonly media: JobMedia
  readonly made: TrackAnalyses<Value, Request>
  readonly background: Background
  readonly signal: AbortSignal
}

/** Analyses of the account's earlier jobs on the same bytes; others are made, and stored for the next job. */
export function cachedTrackAnalyses<Value, Request extends TrackRequest>(
  deps: Dependencies,
  { kind, job, media, made, background, signal }: CachedTrackAnalysesInput<Value, Request>,
): TrackAnalyses<Value, Request> {
  const identity = identityOf(job)
  if (!identity) return made
  const file = fileOf(deps, kind, signal)
  const analysisFor = ({ window, track }: TrackRequest): AnalysisRequest => ({
    ...{ ...identity, format: kind.format, trackIndex: track.index },
    startMs: Math.round(window.start * 1000),
    endMs: Math.round(window.end * 1000),
  })
  return {
    get: (request) =>
      reuseOrMake(deps, {
        ...{ job, media, file, wanted: analysisFor(request), background, signal },
        within: (stored) => kind.within(stored, request.window),
        make: () => made.get(request),
      }),
  }
}

function fileOf<Value>(
  { storage }: Dependencies,
  { name, parse }: TrackAnalysisKind<Value>,
  signal: AbortSignal,
): AnalysisFile<Value> {
  return {
    name,
    contentType: 'application/gzip',
    // Errors destroy the stream that is returned.
    encode: (value) => pipelineStreams(Readable.from(longJsonParts(value)), createGzip(), () => {}),
    read: async (objectKey) => {
      const bytes = await buffer(await storage.read(objectKey, { signal }))
      try {
        const text = (await promisify(gunzip)(bytes, { maxOutputLength: maxAnalysisBytes })).toString()
        return await parse(await parseLongJson(text))
      } catch (cause) {
        throw new AnalysisFormatError(`${objectKey} is no ${name}`, { cause })
      }
    },
    isDamage: (error) => error instanceof AnalysisFormatError,
  }
}
