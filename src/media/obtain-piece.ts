import { createHash } from 'node:crypto'
import path from 'node:path'
import { mapOrAbort } from '../core/abortable.ts'

/** Stores finished pieces beyond this process, for other workers and later attempts. */
export interface PieceStore {
  /** Writes the piece with this name to the file, and returns its number of decoding errors. Undefined if it is not stored. */
  restore(name: string, file: string, signal: AbortSignal): Promise<number | undefined>
  save(name: string, piece: StoredPiece, signal: AbortSignal): Promise<void>
}

export interface StoredPiece {
  readonly file: string
  /** While the source was decoded. */
  readonly decodeErrors: number
}

/** A file with a piece of long work: some of a clip's video, one of its audio tracks, or a stretch of an envelope. */
export interface Piece {
  /** Equal for equal pieces of the same source, in every process. */
  readonly fileName: string
  /** Another file that it writes beside its own, with what it learned of the source. */
  readonly notesName?: string | undefined
  /** Its share of the progress. 0 for a clip's audio track, which is made meanwhile. */
  readonly seconds: number
  /** Returns the number of errors while the source was decoded. */
  make(file: string, signal: AbortSignal, onProgress: (seconds: number) => void): Promise<number>
}

export interface PieceFolder {
  readonly folder: string
  /** Undefined for work that is quickly done. */
  readonly store: PieceStore | undefined
}

/** A name that other inputs do not get. */
export function pieceName(
  kind: 'video' | 'audio' | 'layout' | 'path' | 'sound' | 'envelope',
  inputs: unknown,
  extension: string,
): string {
  const hash = createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
  return `${kind}-${hash.slice(0, 32)}.${extension}`
}

/** Writes the piece to the folder: from the store, or made now. Returns the number of decoding errors. */
export async function obtainPiece(
  { folder, store }: PieceFolder,
  { fileName, notesName, seconds, make }: Piece,
  signal: AbortSignal,
  onProgress: (seconds: number) => void = () => {},
): Promise<number> {
  const names = [...(notesName === undefined ? [] : [notesName]), fileName]
  const storedErrors = store && (await restoreAll(names, { folder, store }, signal))
  if (storedErrors !== undefined) {
    onProgress(seconds)
    return storedErrors
  }
  const decodeErrors = await make(path.join(folder, fileName), signal, onProgress)
  // The notes first: a piece that is stored has its notes.
  for (const name of names) await store?.save(name, { file: path.join(folder, name), decodeErrors }, signal)
  return decodeErrors
}

async function restoreAll(
  names: readonly string[],
  { folder, store }: { readonly folder: string; readonly store: PieceStore },
  signal: AbortSignal,
): Promise<number | undefined> {
  let decodeErrors: number | undefined
  for (const name of names) {
    decodeErrors = await store.restore(name, path.join(folder, name), signal)
    if (decodeErrors === undefined) break
  }
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
  const errorCounts = await mapOrAbort(signal, { items: pieces, concurrency }, (piece, index, either) =>
    obtainPiece(to, piece, either, (seconds) => {
      done[index] = seconds
      onProgress(done.reduce((sum, each) => sum + each, 0))
    }),
  )
  return errorCounts.reduce((sum, each) => sum + each, 0)
}
