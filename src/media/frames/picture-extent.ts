import { ServiceError } from '../../core/errors.ts'
import type { PictureFormat } from '../../core/media.ts'
import type { MediaSource } from '../source/media-source.ts'

/** Progressive JPEGs have about ten scans. Each passes over all pixels, also without any data of its own. */
const maxScans = 100
/** A profile or a second picture of 32 MiB takes 512 segments of 64 KiB. */
const maxSegments = 1_000

type PictureFile = Pick<MediaSource, 'bytes' | 'readAt'>

/**
 * Where the first picture of the file ends. Decoders work on what follows it too. Throws `unsupported_file_type` if decoding the picture
 * would take much more time than its pixels.
 */
export async function pictureEnd(file: PictureFile, format: PictureFormat, signal: AbortSignal): Promise<number> {
  return format === 'jpg' ? jpegEnd(file, signal) : webpEnd(file, signal)
}

async function jpegEnd(file: PictureFile, signal: AbortSignal): Promise<number> {
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
async function* markersOf(file: PictureFile, signal: AbortSignal): AsyncGenerator<Marker> {
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
async function webpEnd(file: PictureFile, signal: AbortSignal): Promise<number> {
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

function tooManyParts(): ServiceError {
  return new ServiceError(
    'unsupported_file_type',
    `The picture has more than ${maxScans} scans, or more than ${maxSegments} segments. Save it again as a JPEG or WebP, with usual settings.`,
  )
}
