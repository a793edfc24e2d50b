import { runAllOrAbort } from '../../core/abortable.ts'
import { isMatroska } from '../../core/media.ts'
import type { Cores } from './cores.ts'
import { decodeAudio, type TrackInput } from './decode-audio.ts'
import { cellMs, type Envelope, frameAt, joinEnvelopes, type Stretch } from './envelope.ts'
import { createMeter } from './meter.ts'

export interface MeasureInput extends TrackInput {
  readonly stretch: Stretch
  /** Long stretches are decoded in pieces, simultaneously on idle cores. */
  readonly cores: Cores
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/** Starting a decoder does not pay off for shorter pieces. */
const minPieceMs = 5 * 60_000

/** Decodes a stretch of a track and measures its envelope. */
export async function measureEnvelope(input: MeasureInput): Promise<Envelope> {
  const { stretch, cores } = input
  return cores.borrow(maxPieces(input) - 1, (borrowed) => measurePieces(input, splitStretch(stretch, borrowed + 1)))
}

function maxPieces({ input: { format, served }, stretch: { startMs, endMs } }: MeasureInput): number {
  // Fetched media is fetched once, in order.
  if (served) return 1
  // Matroska rounds timestamps to milliseconds, so samples after a seek would be off by up to a window.
  if (isMatroska(format)) return 1
  return Math.max(1, Math.floor((endMs - startMs) / minPieceMs))
}

/** Splits a stretch into `count` pieces of nearly the same length, between cells. */
export function splitStretch({ startMs, endMs }: Stretch, count: number): Stretch[] {
  const cells = (endMs - startMs) / cellMs
  const bound = (piece: number) => startMs + Math.round((cells * piece) / count) * cellMs
  return Array.from({ length: count }, (_, piece) => ({ startMs: bound(piece), endMs: bound(piece + 1) }))
}

/** Measures neighbouring pieces simultaneously. If one fails, the others end first; then its error is thrown. */
export async function measurePieces(input: MeasureInput, pieces: readonly Stretch[]): Promise<Envelope> {
  const progress = pieces.map(() => 0)
  const tasks = pieces.map((stretch, index) => (signal: AbortSignal) => {
    const onProgress = (fraction: number) => {
      progress[index] = fraction
      input.onProgress(progress.reduce((sum, part) => sum + part, 0) / pieces.length)
    }
    return measurePiece({ ...input, signal, stretch }, onProgress)
  })
  return joinEnvelopes(await runAllOrAbort(input.signal, tasks))
}

async function measurePiece(
  { input, trackIndex, track, stretch, ffmpeg, signal }: MeasureInput,
  onProgress: (fraction: number) => void,
): Promise<Envelope> {
  const meter = createMeter({ ...stretch, ...track })
  const { decodeErrors } = await decodeAudio({
    ...{ input, trackIndex, track, ffmpeg, signal, onProgress, onSamples: meter.push },
    startFrame: frameAt(stretch.startMs, track.sampleRate),
    endFrame: frameAt(stretch.endMs, track.sampleRate),
  })
  return meter.finish(decodeErrors)
}
