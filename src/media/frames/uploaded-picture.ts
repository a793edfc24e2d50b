import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../../core/errors.ts'
import type { PictureFormat } from '../../core/media.ts'
import type { Picture } from '../../core/picture.ts'
import { readStillTrack } from '../inspect/video-track.ts'
import { fileSource, type MediaSource } from '../source/media-source.ts'
import { pictureEnd } from './picture-extent.ts'
import { measuredPixels, sizeWithin } from './sample-frames.ts'
import type { StillsInput } from './write-stills.ts'

export type PictureSource = Omit<StillsInput, 'seconds' | 'stills'>

interface PictureFile extends Pick<StillsInput, 'ffmpeg' | 'signal'> {
  readonly path: string
  /** It exists. */
  readonly folder: string
}

/** The longest signature: RIFF, a length, WEBP. */
const headBytes = 12
/** A picture within the limit of pixels takes a second. */
const deadlineSeconds = 60

/**
 * Opens the first picture of a file, whose name does not matter. Throws `unsupported_file_type` for other content and for unusual
 * pictures, `media_too_large` for too many pixels, `processing_failed` for a damaged file.
 */
export async function openPicture({ path: file, folder, ffmpeg, signal }: PictureFile): Promise<PictureSource> {
  const source = await fileSource(file)
  const format = await formatOf(source, signal)
  const end = await pictureEnd(source, format, signal)
  const input = { path: end < source.bytes ? await copyStart(file, end, { folder, signal }) : file, format }
  return { tracks: { input }, video: await readStillTrack(input, ffmpeg, signal), ffmpeg, signal }
}

/** Cameras store further pictures and films behind the picture. ffmpeg decodes them too, before it ends. */
async function copyStart(file: string, bytes: number, { folder, signal }: Pick<PictureFile, 'folder' | 'signal'>) {
  const copy = path.join(folder, 'first-picture')
  await pipeline(createReadStream(file, { end: bytes - 1 }), createWriteStream(copy), { signal })
  return copy
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

async function formatOf(source: MediaSource, signal: AbortSignal): Promise<PictureFormat> {
  const head = await source.readAt(0, headBytes, signal)
  const text = head.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpg'
  if (/^RIFF....WEBP/s.test(text)) return 'webp'
  throw new ServiceError(
    'unsupported_file_type',
    'The content of the file is neither JPEG nor WebP. Convert the picture to one of them.',
  )
}
