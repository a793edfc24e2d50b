import { createHash } from 'node:crypto'
import path from 'node:path'
import { runAllOrAbort } from '../../core/abortable.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { SourceVideo, Tracks } from '../inspect/tracks.ts'
import { encodingDeadline, maxOutputBytes, pixelsOf } from './encode-limits.ts'
import { joinSeekSeconds, videoPieceOptions } from './join-arguments.ts'
import { type JoinPlan, totalLength } from './join-plan.ts'
import type { PlacedRange } from './snap-ranges.ts'
import { seekOptions } from './track-arguments.ts'
import { videoPieces } from './video-pieces.ts'

/** Stores finished pieces beyond this process, so that the next attempt does not render them again. */
export interface PieceStore {
  /** Writes the piece with this name to the file; false if it is not stored. */
  restore(name: string, file: string, signal: AbortSignal): Promise<boolean>
  save(name: string, file: string, signal: AbortSignal): Promise<void>
}

export interface VideoPiece {
  readonly fileName: string
  readonly ranges: readonly PlacedRange[]
}

export interface RenderedPieces {
  readonly pieces: readonly VideoPiece[]
  /** Errors while the source was decoded. */
  readonly decodeErrors: number
}

export interface RenderInput {
  readonly tracks: Tracks
  readonly plan: JoinPlan
  readonly video: SourceVideo
  readonly folder: string
  readonly pieceSeconds: number
  /** Pieces that are rendered simultaneously. */
  readonly concurrency: number
  readonly store: PieceStore | undefined
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** Seconds of all pieces. */
  readonly onProgress: (seconds: number) => void
}

/** Renders the video of the plan in pieces with identical settings, several simultaneously. */
export async function renderPieces(input: RenderInput): Promise<RenderedPieces> {
  const { plan, pieceSeconds, concurrency, onProgress } = input
  const pieces = videoPieces(plan.ranges, plan.grid, pieceSeconds).map((ranges) => ({
    ranges,
    fileName: `${pieceName(input, ranges)}.mp4`,
  }))
  const done = pieces.map(() => 0)
  const queue = pieces.entries()
  let decodeErrors = 0
  const work = async (signal: AbortSignal) => {
    // All workers share this iterator: each takes the next piece.
    for (const [index, piece] of queue) {
      const errors = await renderPiece({ ...input, signal }, piece, pieces.length > 1, (seconds) => {
        done[index] = seconds
        onProgress(done.reduce((sum, each) => sum + each, 0))
      })
      decodeErrors += errors
    }
  }
  await runAllOrAbort(
    input.signal,
    Array.from({ length: Math.min(concurrency, pieces.length) }, () => work),
  )
  return { pieces, decodeErrors }
}

/** Returns the number of decoding errors. A piece with errors is not stored, so that another attempt reports them too. */
async function renderPiece(
  { tracks, plan, video, folder, store, ffmpeg, signal }: RenderInput,
  { ranges, fileName }: VideoPiece,
  isStored: boolean,
  onProgress: (seconds: number) => void,
): Promise<number> {
  const { secondsPerTick, originSeconds } = plan.grid
  const file = path.join(folder, fileName)
  const seconds = totalLength(ranges) * secondsPerTick
  if (isStored && (await store?.restore(fileName, file, signal))) {
    onProgress(seconds)
    return 0
  }
  const seek = joinSeekSeconds(plan, ranges)
  const readSeconds = (ranges.at(-1)?.endTick ?? 0) * secondsPerTick - originSeconds - seek
  const { decodeErrors } = await ffmpeg.run({
    ...{ input: tracks.input, signal, deadlineSeconds: encodingDeadline(readSeconds, video) },
    inputOptions: seekOptions(seek),
    outputOptions: videoPieceOptions(plan, video, ranges),
    output: file,
    pixels: pixelsOf(video),
    maxBytes: maxOutputBytes(seconds, { video, audio: [] }),
    onProgress,
  })
  if (isStored && decodeErrors === 0) await store?.save(fileName, file, signal)
  return decodeErrors
}

/** Equal for equal pieces of the same source, in every process. */
function pieceName({ tracks, plan, video }: RenderInput, ranges: readonly PlacedRange[]): string {
  const inputs = [tracks.originSeconds, tracks.durationSeconds, videoPieceOptions(plan, video, ranges)]
  return `piece-${createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 32)}`
}
