import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { runAllOrAbort } from '../../core/abortable.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import type { ClipInput } from './clip-tracks.ts'

/** Shorter pieces would spend their time on their start: a process, the source's description, the frames since a keyframe. */
const minPieceSeconds = 60
/**
 * The most pieces of one clip. Each piece is an activity: it adds six events to the job's history, which has at most 50,000,
 * and occupies a task slot. 32 workers with four cores have this many task slots.
 */
const maxPieces = 128

/** Stores finished pieces beyond this process, for other workers and later attempts. */
export interface PieceStore {
  /** Writes the piece with this name to the file; false if it is not stored. */
  restore(name: string, file: string, signal: AbortSignal): Promise<boolean>
  save(name: string, file: string, signal: AbortSignal): Promise<void>
}

/** How a long clip is divided. */
export interface Division {
  /** Video is rendered in pieces of at least this length. */
  readonly pieceSeconds?: number
  readonly store?: PieceStore | undefined
}

/** A file from which a clip is muxed: some of its video, or one of its audio tracks. */
export interface Piece {
  /** Equal for equal pieces of the same source, in every process. */
  readonly fileName: string
  /** Of the clip's video. 0 for an audio track, which is made meanwhile. */
  readonly seconds: number
  /** Returns the number of errors while the source was decoded. */
  make(file: string, signal: AbortSignal, onProgress: (seconds: number) => void): Promise<number>
}

interface PieceFolder {
  readonly folder: string
  /** Undefined for a clip that is quickly made. */
  readonly store: PieceStore | undefined
}

export function pieceCount(ranges: readonly Segment[], pieceSeconds = minPieceSeconds): number {
  const seconds = ranges.reduce((sum, range) => sum + durationOf(range), 0)
  return Math.max(1, Math.min(maxPieces, Math.floor(seconds / pieceSeconds)))
}

/** A name that other inputs do not get. */
export function pieceName(kind: 'video' | 'audio' | 'layout', inputs: unknown, extension: string): string {
  const hash = createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
  return `${kind}-${hash.slice(0, 32)}.${extension}`
}

/** What was found out about the source, stored because that means to read it. */
export async function storeLayout<Layout>(
  { outputPath, store, signal }: ClipInput & Division,
  { decidedBy, schema }: { readonly decidedBy: unknown; readonly schema: z.ZodType<Layout> },
  findOut: () => Promise<Layout>,
): Promise<Layout> {
  if (!store) return findOut()
  const name = pieceName('layout', decidedBy, 'json')
  const file = path.join(path.dirname(outputPath), name)
  if (await store.restore(name, file, signal)) return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  const layout = await findOut()
  await writeFile(file, JSON.stringify(layout))
  await store.save(name, file, signal)
  return layout
}

/**
 * Writes the piece to the folder: from the store, or made now. Returns the number of decoding errors. A piece with errors is not
 * stored, so that another attempt reports them too.
 */
export async function obtainPiece(
  { folder, store }: PieceFolder,
  { fileName, seconds, make }: Piece,
  signal: AbortSignal,
  onProgress: (seconds: number) => void = () => {},
): Promise<number> {
  const file = path.join(folder, fileName)
  if (await store?.restore(fileName, file, signal)) {
    onProgress(seconds)
    return 0
  }
  const decodeErrors = await make(file, signal, onProgress)
  if (decodeErrors === 0) await store?.save(fileName, file, signal)
  return decodeErrors
}

export interface ObtainInput extends PieceFolder {
  readonly pieces: readonly Piece[]
  /** Pieces that are made simultaneously. */
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Seconds of all pieces. */
  readonly onProgress: (seconds: number) => void
}

/** Obtains several pieces. Returns the number of decoding errors. */
export async function obtainPieces({ pieces, concurrency, signal, onProgress, ...to }: ObtainInput): Promise<number> {
  const done = pieces.map(() => 0)
  const queue = pieces.entries()
  let decodeErrors = 0
  const work = async (either: AbortSignal) => {
    // All workers share this iterator: each takes the next piece.
    for (const [index, piece] of queue) {
      const errors = await obtainPiece(to, piece, either, (seconds) => {
        done[index] = seconds
        onProgress(done.reduce((sum, each) => sum + each, 0))
      })
      decodeErrors += errors
    }
  }
  await runAllOrAbort(
    signal,
    Array.from({ length: Math.min(concurrency, pieces.length) }, () => work),
  )
  return decodeErrors
}
