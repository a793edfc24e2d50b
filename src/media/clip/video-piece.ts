import type { SourceVideo } from '../inspect/tracks.ts'
import { type Piece, pieceName } from '../pieces/obtain-piece.ts'
import type { ClipInput } from './clip-tracks.ts'
import { encodingDeadline, maxOutputBytes, pixelsOf } from './encode-limits.ts'
import { type PieceEncoding, rangesSeekSeconds, videoPieceOptions } from './join-arguments.ts'
import { seekOptions } from './track-arguments.ts'
import { totalLength, type VideoPiece } from './video-pieces.ts'

/** Renders a piece of video, with the settings of all pieces of its clip. */
export function videoPiece(
  { tracks, ffmpeg }: Pick<ClipInput, 'tracks' | 'ffmpeg'>,
  encoding: PieceEncoding,
  video: SourceVideo,
  piece: VideoPiece,
): Piece {
  const { clock } = encoding
  const outputOptions = videoPieceOptions(encoding, video, piece)
  const seconds = totalLength(piece.ranges) * clock.secondsPerTick
  const seek = rangesSeekSeconds(clock, piece.ranges)
  const readSeconds = (piece.ranges.at(-1)?.endTick ?? 0) * clock.secondsPerTick - clock.originSeconds - seek
  return {
    fileName: pieceName('video', [tracks.originSeconds, tracks.durationSeconds, outputOptions], 'mp4'),
    seconds,
    make: async (output, signal, onProgress) => {
      const { decodeErrors } = await ffmpeg.run({
        ...{ input: tracks.input, signal, deadlineSeconds: encodingDeadline(readSeconds, video) },
        // Copied packets keep the source's rotation, so encoded frames must stay unrotated beside them.
        inputOptions: [...seekOptions(seek), ...(encoding.fit ? ['-noautorotate'] : [])],
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
