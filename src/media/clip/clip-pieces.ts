import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runAllOrAbort } from '../../core/abortable.ts'
import type { FfmpegInput, FfmpegPieces } from '../../core/ffmpeg.ts'
import type { ShownRange } from '../../core/place-cues.ts'
import { obtainPiece, obtainPieces, type Piece } from '../pieces/obtain-piece.ts'
import { marksOf } from './clip-marks.ts'
import type { ClipInput, ClipTracks } from './clip-tracks.ts'
import { muxLimits } from './encode-limits.ts'
import { muxOptions, pieceList } from './mux-arguments.ts'
import type { Division } from './pieces.ts'

/**
 * The pieces of a clip. Audio tracks are whole, because an encoder starts and ends each of its files with silence. Without video, or
 * with one piece of it, the clip is quickly made.
 */
export interface ClipPieces {
  readonly tracks: ClipTracks
  readonly audio: readonly Piece[]
  readonly video: readonly Piece[]
  /** What the clip shows of the source. */
  readonly shown: readonly ShownRange[]
}

export type PiecesInput = ClipInput &
  Division & {
    /** Pieces that are made simultaneously. */
    readonly concurrency?: number
  }

/** The seconds of each piece of a long clip, in the order of `makePiece`; none if the clip is made as quickly in one run. */
export function piecesOf(clip: ClipPieces): number[] {
  return isLong(clip) ? inOrder(clip).map(({ seconds }) => seconds) : []
}

/** Makes one of the pieces that `piecesOf` counted, and stores it. Without such a piece, another version counted: the clip's run makes what is missing. */
export async function makePiece({ outputPath, store, ...input }: PiecesInput, clip: ClipPieces, index: number) {
  const piece = inOrder(clip)[index]
  if (!piece) return
  const onProgress = (seconds: number) => input.onProgress(seconds / (piece.seconds || 1))
  await obtainPiece({ folder: path.dirname(outputPath), store }, piece, input.signal, onProgress)
}

/** Audio first: of a long film, an audio track takes longer than any piece of its video. */
function inOrder({ audio, video }: ClipPieces): Piece[] {
  return [...audio, ...video]
}

function isLong({ video }: ClipPieces): boolean {
  return video.length > 1
}

/** Obtains all pieces and muxes the clip. Returns the number of decoding errors. */
export async function makeFromPieces(
  input: PiecesInput,
  clip: ClipPieces,
  onProgress: (seconds: number) => void,
): Promise<number> {
  const decodeErrors = await obtainAllPieces(input, clip, onProgress)
  await muxPieces(input, clip)
  return decodeErrors
}

/** Makes or restores all pieces. Returns the number of decoding errors. */
export async function obtainAllPieces(
  input: PiecesInput,
  clip: ClipPieces,
  onProgress: (seconds: number) => void,
): Promise<number> {
  const { outputPath, concurrency = 1, signal } = input
  const { audio, video } = clip
  const folder = path.dirname(outputPath)
  const to = { folder, store: isLong(clip) ? input.store : undefined }
  const hasVideo = video.length > 0
  const errorCounts = await runAllOrAbort(signal, [
    ...(hasVideo
      ? [(either: AbortSignal) => obtainPieces({ ...to, pieces: video, concurrency, signal: either, onProgress })]
      : []),
    ...audio.map((piece) => (either: AbortSignal) => obtainPiece(to, piece, either, hasVideo ? () => {} : onProgress)),
  ])
  return errorCounts.reduce((sum, each) => sum + each, 0)
}

/** Puts the obtained pieces into one file. `listOptions` are of the list of the pieces of video. */
export async function muxPieces(
  clipInput: ClipInput,
  { tracks, video, audio, shown }: ClipPieces,
  listOptions: readonly string[] = [],
): Promise<void> {
  const { outputPath, format, ffmpeg, signal } = clipInput
  const folder = path.dirname(outputPath)
  const list: FfmpegPieces = { path: path.join(folder, 'pieces.txt'), format: 'pieces' }
  if (video.length > 0) await writeFile(list.path, pieceList(video))
  const files = audio.map(({ fileName }): FfmpegInput => ({ path: path.join(folder, fileName), format }))
  const [input, ...moreInputs] = video.length > 0 ? [list, ...files] : files
  if (!input) return
  const marks = await marksOf(clipInput, tracks.video, shown)
  const limits = await muxLimits([...video, ...audio].map(({ fileName }) => path.join(folder, fileName)))
  await ffmpeg.run({
    ...{ input, moreInputs: [...moreInputs, ...marks.inputs], signal, ...limits },
    cores: 1,
    inputOptions: ['-copyts', ...listOptions],
    outputOptions: [...muxOptions(format, tracks), ...marks.options],
    output: outputPath,
  })
}
