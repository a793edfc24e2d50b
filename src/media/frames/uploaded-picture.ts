import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ServiceError } from '../../core/errors.ts'
import type { PictureFormat } from '../../core/media.ts'
import type { Picture } from '../../core/picture.ts'
import { readStillTrack } from '../inspect/video-track.ts'
import { fileSource } from '../source/media-source.ts'
import { measuredPixels, sizeWithin } from './sample-frames.ts'
import type { StillsInput } from './write-stills.ts'

export type PictureSource = Omit<StillsInput, 'seconds' | 'stills'>

interface PictureFile extends Pick<StillsInput, 'ffmpeg' | 'signal'> {
  readonly path: string
}

/** The longest signature: RIFF, a length, WEBP. */
const headBytes = 12
/** A picture within the limit of pixels takes a second. */
const deadlineSeconds = 60

/**
 * Opens a picture file, whose name does not matter. Throws `unsupported_file_type` for other content, `media_too_large` for too many
 * pixels, `processing_failed` for a damaged file.
 */
export async function openPicture({ path: file, ffmpeg, signal }: PictureFile): Promise<PictureSource> {
  const input = { path: file, format: await formatOf(file, signal) }
  return { tracks: { input }, video: await readStillTrack(input, ffmpeg, signal), ffmpeg, signal }
}

/** Decodes the picture at the size that scores are measured at, as players show it. `folder` exists. */
export async function readPicture({ tracks, video, ffmpeg, signal }: PictureSource, folder: string): Promise<Picture> {
  const size = sizeWithin(video.shown, measuredPixels)
  const output = path.join(folder, 'picture.rgb')
  await ffmpeg.run({
    input: tracks.input,
    signal,
    deadlineSeconds,
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-frames:v', '1'],
      ...['-filter:v', `scale=${size.width}:${size.height}:flags=area,format=rgb24`],
      ...['-c:v', 'rawvideo', '-f', 'rawvideo'],
    ],
    output,
    pixels: video.width * video.height,
  })
  return { ...size, rgb: await readFile(output) }
}

async function formatOf(file: string, signal: AbortSignal): Promise<PictureFormat> {
  const head = await (await fileSource(file)).readAt(0, headBytes, signal)
  const text = head.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpg'
  if (/^RIFF....WEBP/s.test(text)) return 'webp'
  throw new ServiceError(
    'unsupported_file_type',
    'The content of the file is neither JPEG nor WebP. Convert the picture to one of them.',
  )
}
