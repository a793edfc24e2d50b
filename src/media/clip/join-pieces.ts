import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { SourceVideo, Tracks } from '../inspect/tracks.ts'
import { encodingDeadline, maxOutputBytes, pixelsOf } from './encode-limits.ts'
import { audioOptions, joinSeekSeconds, videoPieceOptions } from './join-arguments.ts'
import { joinAudio } from './join-audio.ts'
import type { JoinPlan } from './join-plan.ts'
import { type Piece, pieceName } from './pieces.ts'
import { seekOptions } from './track-arguments.ts'
import { totalLength, type VideoPiece } from './video-pieces.ts'

export interface JoinPieces {
  readonly audio: readonly Piece[]
  readonly video: readonly Piece[]
}

interface PiecesInput {
  readonly tracks: Tracks
  readonly ffmpeg: Ffmpeg
}

/** The pieces of a joined clip. Audio tracks are whole, because an encoder starts and ends each of its files with silence. */
export function joinPieces(input: PiecesInput, plan: JoinPlan): JoinPieces {
  const { video } = plan
  return {
    audio: audioPieces(input, plan),
    video: video ? plan.pieces.map((piece) => videoPiece(input, plan, video, piece)) : [],
  }
}

function audioPieces({ tracks, ffmpeg }: PiecesInput, plan: JoinPlan): Piece[] {
  const { originSeconds, durationSeconds } = tracks
  return plan.audio.map((track) => {
    const { streamIndex } = track
    const { ranges, clock, fadeSeconds } = plan
    const inputs = [originSeconds, durationSeconds, streamIndex, ranges, clock, fadeSeconds, audioOptions(plan, track)]
    return {
      fileName: pieceName('audio', inputs, plan.format),
      seconds: 0,
      make: (outputPath, signal, onProgress) =>
        joinAudio({ tracks, plan, track, outputPath, ffmpeg, signal, onProgress }),
    }
  })
}

function videoPiece({ tracks, ffmpeg }: PiecesInput, plan: JoinPlan, video: SourceVideo, piece: VideoPiece): Piece {
  const { secondsPerTick, originSeconds } = plan.clock
  const outputOptions = videoPieceOptions(plan, video, piece)
  const seconds = totalLength(piece.ranges) * secondsPerTick
  const seek = joinSeekSeconds(plan, piece.ranges)
  const readSeconds = (piece.ranges.at(-1)?.endTick ?? 0) * secondsPerTick - originSeconds - seek
  return {
    fileName: pieceName('video', [tracks.originSeconds, tracks.durationSeconds, outputOptions], 'mp4'),
    seconds,
    make: async (output, signal, onProgress) => {
      const { decodeErrors } = await ffmpeg.run({
        ...{ input: tracks.input, signal, deadlineSeconds: encodingDeadline(readSeconds, video) },
        inputOptions: seekOptions(seek),
        outputOptions,
        output,
        pixels: pixelsOf(video),
        maxBytes: maxOutputBytes(seconds, { video, audio: [] }),
        onProgress,
      })
      return decodeErrors
    },
  }
}
