import type { ClipFormat } from '../../core/media.ts'
import { ratio } from '../inspect/frame-rate.ts'
import type { Piece } from '../pieces/obtain-piece.ts'
import type { ClipTracks } from './clip-tracks.ts'
import { containers } from './encoders.ts'

/** Muxes encoded pieces of video and encoded audio tracks into one file. */
export function muxOptions(format: ClipFormat, { video, audio }: ClipTracks): string[] {
  // WebM stores a frame rate. An average rate would make readers drop and repeat frames.
  const storesRate = video && format === 'webm' && ratio(video.baseFrameRate) > 0
  return [
    ...(video ? ['-map', '0:v:0', ...(storesRate ? ['-r:v', video.baseFrameRate] : [])] : []),
    ...audio.flatMap((_, index) => ['-map', `${index + (video ? 1 : 0)}:a:0`]),
    ...['-c', 'copy'],
    ...containers[format].muxer,
  ]
}

/** A list for the concat demuxer. Durations are rounded so that each running total is right to the microsecond. */
export function pieceList(pieces: readonly Pick<Piece, 'fileName' | 'seconds'>[]): string {
  let [total, written] = [0, 0]
  const lines = pieces.map(({ fileName, seconds }) => {
    total += seconds
    const duration = Math.round(total * 1e6) - written
    written += duration
    return `file '${fileName}'\ninpoint 0\nduration ${(duration / 1e6).toFixed(6)}\n`
  })
  return `ffconcat version 1.0\n${lines.join('')}`
}
