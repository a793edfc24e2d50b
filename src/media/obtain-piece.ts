import { createHash } from 'node:crypto'
import path from 'node:path'
import { mapOrAbort } from '../core/abortable.ts'

/** Stores finished pieces beyond this process, for other workers and later attempts. */
export interface PieceStore {
  /** Writes the piece with this name to the file. Undefined if it is not stored. */
  restore(name: string, file: string, signal: AbortSignal): Promise<ObtainedPiece | undefined>
  save(name: string, piece: StoredPiece, signal: AbortSignal): Promise<void>
}

export interface ObtainedPiece {
  /** While the source was decoded. */
  readonly decodeErrors: number
  /** An earlier job made it. */
  readonly isReused?: boolean | undefined
}

export interface StoredPiece extends ObtainedPiece {
  readonly file: string
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

/** Writes the piece to the folder: from the store, or made now. */
export async function obtainPiece(
  { folder, store }: PieceFolder,
  { fileName, notesName, seconds, make }: Piece,
  signal: AbortSignal,
  onProgress: (seconds: number) => void = () => {},
): Promise<ObtainedPiece> {
  const names = [...(notesName === undefined ? [] : [notesName]), fileName]
  const stored = store && (await restoreAll(names, { folder, store }, signal))
  if (stored) {
    onProgress(seconds)
    return stored
  }
  const made = { decodeErrors: await make(path.join(folder, fileName), signal, onProgress) }
  // The notes first: a piece that is stored has its notes.
  for (const name of names) await store?.save(name, { file: path.join(folder, name), ...made }, signal)
  return made
}

async function restoreAll(
  names: readonly string[],
  { folder, store }: { readonly folder: string; readonly store: PieceStore },
  signal: AbortSignal,
): Promise<ObtainedPiece | undefined> {
  let piece: ObtainedPiece | undefined
  for (const name of names) {
    piece = await store.restore(name, path.join(folder, name), signal)
    if (!piece) break
  }
  return piece
}

export interface ObtainInput extends PieceFolder {
  readonly pieces: readonly Piece[]
  /** Pieces that are made simultaneously. */
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Seconds of all pieces. */
  readonly onProgress: (seconds: number) => void
}

/** Obtains several pieces, in their order. */
export async function obtainPieces(input: ObtainInput): Promise<ObtainedPiece[]> {
  const { pieces, concurrency, signal, onProgress, ...to } = input
  const done = pieces.map(() => 0)
  return mapOrAbort(signal, { items: pieces, concurrency }, (piece, index, either) =>
    obtainPiece(to, piece, either, (seconds) => {
      done[index] = seconds
      onProgress(done.reduce((sum, each) => sum + each, 0))
    }),
  )
}
