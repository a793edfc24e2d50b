import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../../core/errors.ts'
import type { FfmpegPicture } from '../../core/ffmpeg.ts'
import { type PictureFormat, pictureFormatOf, pictureHeadBytes } from '../../core/media.ts'
import type { Picture, Size } from '../../core/picture.ts'
import { layerOptions, layerScaleFilters, readStillTrack } from '../inspect/video-track.ts'
import { fileSource, type MediaSource } from '../source/media-source.ts'
import { measuredPixels, sizeWithin } from './sample-frames.ts'
import type { StillsInput } from './write-stills.ts'

export type PictureSource = Omit<StillsInput, 'seconds' | 'stills'>

interface PictureInput extends Pick<StillsInput, 'ffmpeg' | 'signal'> {
  readonly path: string
  /** It exists. */
  readonly folder: string
}

/** A picture within the limit of pixels takes a second. */
const deadlineSeconds = 60

/**
 * Opens the first picture of a file, whose name does not matter. Throws `unsupported_file_type` for other content and for unusual
 * pictures, `media_too_large` for too many pixels, `processing_failed` for a damaged file.
 */
export async function openPicture({ path: file, folder, ffmpeg, signal }: PictureInput): Promise<PictureSource> {
  const source = await fileSource(file)
  const format = await formatOf(source, signal)
  const end = await pictureEnd(source, format, signal)
  const input = { path: end < source.bytes ? await copyStart(file, end, { folder, signal }) : file, format }
  const size = format === 'png' ? await pngSize(source, signal) : undefined
  return { tracks: { input }, video: await readStillTrack(input, ffmpeg, signal, size), ffmpeg, signal }
}

/** Cameras store further pictures and films behind the picture. ffmpeg decodes them too, before it ends. */
async function copyStart(file: string, bytes: number, { folder, signal }: Pick<PictureInput, 'folder' | 'signal'>) {
  const copy = path.join(folder, 'first-picture')
  await pipeline(createReadStream(file, { end: bytes - 1 }), createWriteStream(copy), { signal })
  return copy
}

interface Decoding {
  readonly output: string
  readonly filters: readonly string[]
  readonly inputOptions?: readonly string[]
}

/** Writes the bytes of the picture's pixels to a file, whose folder exists. */
async function decodePicture(
  { tracks, video, ffmpeg, signal }: PictureSource,
  { output, filters, inputOptions = [] }: Decoding,
): Promise<void> {
  await ffmpeg.run({
    ...{ input: tracks.input, inputOptions, output, signal, deadlineSeconds },
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-frames:v', '1'],
      ...['-filter:v', filters.join(',')],
      ...['-c:v', 'rawvideo', '-f', 'rawvideo'],
    ],
    pixels: video.width * video.height,
  })
}

/** Decodes the picture at the size that scores are measured at, as players show it. `folder` exists. */
export async function readPicture(source: PictureSource, folder: string): Promise<Picture> {
  const size = sizeWithin(source.video.shown, measuredPixels)
  const output = path.join(folder, 'picture.rgb')
  const filters = [`scale=${size.width}:${size.height}:flags=area`, 'format=rgb24']
  await decodePicture(source, { output, filters })
  return { ...size, rgb: await readFile(output) }
}

/** As many as a logo can have in a picture of 4096 pixels. */
const maxLogoPixels = 2 ** 21

/** Decodes the picture as players show it, with its transparency, to a file in the folder, which exists. */
export async function writePixels(source: PictureSource, folder: string): Promise<FfmpegPicture> {
  const { video } = source
  const size = sizeWithin(video.shown, maxLogoPixels)
  const output = path.join(folder, 'pixels.rgba')
  const filters = [...layerScaleFilters(size), 'format=rgba']
  await decodePicture(source, { output, filters, inputOptions: layerOptions(video) })
  // ffmpeg ends well also where it decoded nothing.
  if ((await stat(output)).size !== size.width * size.height * 4)
    throw new ServiceError('processing_failed', 'The picture cannot be read.')
  return { path: output, format: 'picture', ...size }
}

async function formatOf(source: MediaSource, signal: AbortSignal): Promise<PictureFormat> {
  const format = pictureFormatOf(await source.readAt(0, pictureHeadBytes, signal))
  if (format) return format
  throw new ServiceError(
    'unsupported_file_type',
    'The content of the file is neither JPEG, PNG nor WebP. Convert the picture to one of them.',
  )
}

/** Progressive JPEGs have about ten scans. Each passes over all pixels, also without any data of its own. */
const maxScans = 100
/** A profile or a second picture of 32 MiB takes 512 segments of 64 KiB. */
const maxSegments = 1_000
/** Programs write chunks of 8 KiB: 32 MiB of them are 4,096. */
const maxPngChunks = 10_000

type PictureBytes = Pick<MediaSource, 'bytes' | 'readAt'>

/**
 * Where the first picture of the file ends. Decoders work on what follows it too. Throws `unsupported_file_type` if decoding the picture
 * would take much more time than its pixels.
 */
export async function pictureEnd(file: PictureBytes, format: PictureFormat, signal: AbortSignal): Promise<number> {
  if (format === 'jpg') return jpegEnd(file, signal)
  return format === 'png' ? pngEnd(file, signal) : webpEnd(file, signal)
}

async function jpegEnd(file: PictureBytes, signal: AbortSignal): Promise<number> {
  let [scans, segments] = [0, 0]
  for await (const { marker, at } of markersOf(file, signal)) {
    if (marker === endOfImage && scans > 0) return at + markerBytes
    segments += 1
    if (passesOverPixels(marker)) scans += 1
    if (scans > maxScans || segments > maxSegments) throw tooManyParts()
  }
  return file.bytes
}

interface Marker {
  readonly marker: number
  readonly at: number
}

const [markerBytes, lengthBytes] = [2, 2]
const blockBytes = 65_536
const [startOfImage, endOfImage, startOfScan, comment] = [0xd8, 0xd9, 0xda, 0xfe]

/** The markers of a JPEG (ITU-T T.81, B.1.1) in order, without those that only divide a scan. Each step moves ahead by a byte or more. */
async function* markersOf(file: PictureBytes, signal: AbortSignal): AsyncGenerator<Marker> {
  for (let at = 0; at + markerBytes <= file.bytes; ) {
    const block = await file.readAt(at, blockBytes, signal)
    const found = markerIn(block)
    if (found === undefined) {
      // Its last byte may begin a marker.
      at += Math.max(1, block.length - 1)
      continue
    }
    const marker = block[found + 1] ?? 0
    at += found
    yield { marker, at }
    at += markerBytes
    // Only these may contain bytes that look like markers, such as a small picture. Decoders search the others, and those that end too early.
    if (!isApplicationData(marker) || at + lengthBytes > file.bytes) continue
    const end = at + (await file.readAt(at, lengthBytes, signal)).readUInt16BE()
    if (end <= file.bytes) at = end
  }
}

function markerIn(block: Buffer): number | undefined {
  for (let at = block.indexOf(0xff); at >= 0 && at + 1 < block.length; at = block.indexOf(0xff, at + 1)) {
    const marker = block[at + 1] ?? 0
    const isRestart = marker >= 0xd0 && marker <= startOfImage
    if (marker >= 0xc0 && marker < 0xff && !isRestart) return at
  }
  return undefined
}

function isApplicationData(marker: number): boolean {
  return marker === comment || (marker >= 0xe0 && marker <= 0xef)
}

/** Scans, and frames, for which decoders clear their memory. */
function passesOverPixels(marker: number): boolean {
  const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
  return marker === startOfScan || isFrame
}

const [chunkHeaderBytes, typeBytes] = [8, 4]

/** A WebP is a chunk named RIFF, whose content begins with its type. Other chunks follow in it, each padded to an even length. */
async function webpEnd(file: PictureBytes, signal: AbortSignal): Promise<number> {
  const chunkEnd = async (at: number) => {
    if (at + chunkHeaderBytes > file.bytes) return file.bytes
    const length = (await file.readAt(at, chunkHeaderBytes, signal)).readUInt32LE(4)
    return Math.min(file.bytes, at + chunkHeaderBytes + length + (length % 2))
  }
  const end = await chunkEnd(0)
  let chunks = 0
  for (let at = chunkHeaderBytes + typeBytes; at < end; at = await chunkEnd(at)) {
    if (chunks === maxSegments) throw tooManyParts()
    chunks += 1
  }
  return end
}

const [pngSignatureBytes, pngChunkBytes] = [8, 12]

/** IHDR, the first chunk, begins with width and height. */
async function pngSize(file: PictureBytes, signal: AbortSignal): Promise<Size> {
  const size = await file.readAt(pngSignatureBytes + chunkHeaderBytes, 8, signal)
  if (size.length < 8) throw new ServiceError('processing_failed', 'The picture cannot be read.')
  return { width: size.readUInt32BE(0), height: size.readUInt32BE(4) }
}

/** A PNG begins with a signature. Chunks follow, each of a length, a name, that many bytes and a checksum. The last one is IEND. */
async function pngEnd(file: PictureBytes, signal: AbortSignal): Promise<number> {
  let chunks = 0
  for (let at = pngSignatureBytes; at + pngChunkBytes <= file.bytes; ) {
    if (chunks === maxPngChunks) throw tooManyParts()
    chunks += 1
    const head = await file.readAt(at, chunkHeaderBytes, signal)
    at += pngChunkBytes + head.readUInt32BE(0)
    if (head.toString('latin1', 4) === 'IEND') return Math.min(file.bytes, at)
  }
  return file.bytes
}

function tooManyParts(): ServiceError {
  return new ServiceError(
    'unsupported_file_type',
    `The picture has more than ${maxScans} scans, or more than ${maxSegments} segments. Save it again as a JPEG, PNG or WebP, with usual settings.`,
  )
}
