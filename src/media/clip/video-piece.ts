import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { lowerBound } from '../../core/binary-search.ts'
import { layerOptions } from '../inspect/flat-picture.ts'
import { frameToleranceSeconds } from '../inspect/margins.ts'
import { seekOptions } from '../inspect/seek.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import { type Piece, pieceName } from '../pieces/obtain-piece.ts'
import { burntCaptions, captionPictures } from './burn-captions.ts'
import type { ClipInput } from './clip-tracks.ts'
import { readCropPath } from './crop-path.ts'
import { encodingDeadline, largestPixels, maxOutputBytes } from './encode-limits.ts'
import { type PieceEncoding, rangesSeekSeconds, videoPieceOptions } from './join-arguments.ts'
import type { CopiedFit } from './track-arguments.ts'
import { totalLength, type VideoPiece } from './video-pieces.ts'

interface PieceClock extends Pick<PieceEncoding, 'clock'> {
  readonly fit?: Pick<CopiedFit, 'accessTicks'>
}

/** Where decoding of a piece starts: beside copied packets exactly at a keyframe, so that nothing is decoded in vain. */
export function pieceSeekSeconds({ clock, fit }: PieceClock, { ranges }: VideoPiece): number {
  const tolerance = frameToleranceSeconds / clock.secondsPerTick
  const { startTick = 0, firstFrameTick = startTick } = ranges[0] ?? {}
  const latest = Math.min(startTick, firstFrameTick) + tolerance
  const accessTick = fit?.accessTicks[lowerBound(fit.accessTicks, (tick) => tick <= latest) - 1]
  if (accessTick === undefined) return rangesSeekSeconds(clock, ranges)
  return Math.max(0, accessTick * clock.secondsPerTick - clock.originSeconds + frameToleranceSeconds)
}

/** Renders a piece of video, with the settings of all pieces of its clip. */
export function videoPiece(
  { tracks, ffmpeg, findCropPath }: Pick<ClipInput, 'tracks' | 'ffmpeg' | 'findCropPath'>,
  encoding: PieceEncoding,
  video: SourceVideo,
  piece: VideoPiece,
): Piece {
  const { clock, picture, kept } = encoding
  // The path of a crop is known only once the piece is made.
  const startSeconds = (piece.ranges[0]?.atTick ?? 0) * clock.secondsPerTick
  const { captions } = encoding
  const lastSeconds = startSeconds + piece.lastSeconds
  const burnt = burntCaptions({ track: video, picture, captions, startSeconds, lastSeconds })
  const decidedBy = [
    videoPieceOptions(encoding, video, piece, { path: [], burnt }),
    ...(picture?.follows ? [picture.follows] : []),
    ...(burnt ? [burnt] : []),
  ]
  const inputs = [tracks.originSeconds, tracks.durationSeconds, ...decidedBy]
  const notesName = picture?.follows === 'faces' ? pieceName('path', inputs, 'json') : undefined
  const seconds = totalLength(piece.ranges) * clock.secondsPerTick
  const seek = pieceSeekSeconds(encoding, piece)
  const readSeconds = (piece.ranges.at(-1)?.endTick ?? 0) * clock.secondsPerTick - clock.originSeconds - seek
  return {
    fileName: pieceName('video', inputs, kept.alpha ? 'mkv' : 'mp4'),
    notesName,
    seconds,
    make: async (output, signal, onProgress) => {
      const windows = piece.ranges.map(({ startTick, endTick }) => ({
        start: Math.max(0, startTick * clock.secondsPerTick - clock.originSeconds),
        end: endTick * clock.secondsPerTick - clock.originSeconds,
      }))
      const cropPath = await readCropPath({ findCropPath }, { track: video, picture, windows }, signal)
      const { decodeErrors } = await ffmpeg.run({
        ...{ input: tracks.input, signal, deadlineSeconds: encodingDeadline(readSeconds, video) },
        // Copied packets keep the source's rotation, so encoded frames must stay unrotated beside them.
        inputOptions: [...seekOptions(seek), ...layerOptions(video), ...(encoding.fit ? ['-noautorotate'] : [])],
        outputOptions: videoPieceOptions(encoding, video, piece, { path: cropPath, burnt }),
        moreInputs: burnt ? [captionPictures(burnt, signal)] : [],
        output,
        pixels: largestPixels(video, picture),
        maxBytes: maxOutputBytes(seconds, { video, audio: [] }),
        onProgress,
      })
      if (notesName !== undefined) await writeFile(path.join(path.dirname(output), notesName), JSON.stringify(cropPath))
      return decodeErrors
    },
  }
}
