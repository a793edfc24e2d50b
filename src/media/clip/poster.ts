import { stat } from 'node:fs/promises'
import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import { nearestEven } from '../../core/picture.ts'
import { type JpegSource, jpegFilters } from '../inspect/sampled-video.ts'
import { layerOptions } from '../inspect/video-track.ts'
import { pixelsOf } from './encode-limits.ts'

export interface Poster {
  readonly path: string
  readonly width: number
  readonly height: number
}

export interface PosterInput {
  readonly media: FfmpegInput
  readonly video: JpegSource
  readonly atSeconds: number
  /** Where the first frame is. Default: 0. */
  readonly startSeconds?: number
  readonly outputPath: string
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

const maxPosterWidth = 1280

/** Writes the next frame after `atSeconds`, or else the first frame, as a JPEG. Returns null if no frame can be decoded. */
export async function makePoster(input: PosterInput): Promise<Poster | null> {
  const { video, outputPath, atSeconds, startSeconds = 0 } = input
  const width = Math.min(maxPosterWidth, video.shown.width)
  const height = nearestEven((video.shown.height * width) / video.shown.width)
  const poster = { path: outputPath, width, height }
  const hasFrame = (await writeFrame(input, poster, atSeconds)) || (await writeFrame(input, poster, startSeconds))
  return hasFrame ? poster : null
}

async function writeFrame(input: PosterInput, poster: Poster, atSeconds: number): Promise<boolean> {
  const { media, video, ffmpeg, signal } = input
  const running = ffmpeg.run({
    ...{ input: media, signal, deadlineSeconds: 60 },
    // Skips decoding the frames that no other frame refers to.
    inputOptions: [
      ...['-threads', '2', '-skip_frame', 'noref', ...layerOptions(video)],
      ...(atSeconds > 0 ? ['-ss', atSeconds.toFixed(3)] : []),
    ],
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-frames:v', '1'],
      ...['-filter:v', [...jpegFilters(video, `${poster.width}:${poster.height}`), 'setsar=1'].join(',')],
      // If no frame is decoded, the encoder knows no colour range, and logs an error unless `-strict unofficial` is set.
      ...['-c:v', 'mjpeg', '-q:v', '3', '-strict', 'unofficial', '-f', 'image2', '-update', '1'],
    ],
    output: poster.path,
    pixels: pixelsOf(video),
  })
  return running.then(
    () => isWritten(poster.path),
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === 'processing_failed') return false
      throw error
    },
  )
}

/** Without a frame, ffmpeg fails for some pixel formats and reports success for others. */
async function isWritten(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && found.size > 0
}
