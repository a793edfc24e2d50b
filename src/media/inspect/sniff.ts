import { ServiceError } from '../../core/errors.ts'
import { acceptedFormats, type MediaFormat } from '../../core/media.ts'
import type { MediaSource } from '../source/media-source.ts'
import { adtsFrames, holdsFrames, isChain, mpegAudioFrames } from './mpeg-frames.ts'

/** Room for three of the longest frames. */
const headBytes = 32_768

/** ffmpeg looks for the first frame of MPEG audio in as many bytes. */
const maxSkippedBytes = 65_536

/** Detects the format from the bytes; file names do not matter. Throws `unsupported_file_type` for other content. */
export async function sniffFormat(source: MediaSource, signal: AbortSignal): Promise<MediaFormat> {
  const readAt = (position: number, bytes = headBytes) => source.readAt(position, bytes, signal)
  const head = await readAt(0)
  const named = sniff(head)
  if (named) return named
  const { position, bytes } = await afterTags(readAt, head)
  const format = sniffAudioFrames(bytes)
  if (format) return format
  if (!isForeign(head)) {
    const found = findAudioFrames(await readAt(position, maxSkippedBytes + headBytes))
    if (found) return found
  }
  throw new ServiceError('unsupported_file_type', describeForeign(head))
}

/** Detects containers, which name themselves in their first bytes. */
function sniff(head: Buffer): MediaFormat | undefined {
  const ascii = (start: number, end: number) => head.toString('latin1', start, end)
  if (ascii(0, 4) === 'OggS') return 'ogg'
  if (['RIFF', 'RIFX', 'RF64', 'BW64'].includes(ascii(0, 4)) && ascii(8, 12) === 'WAVE') return 'wav'
  if (ascii(0, 4) === 'FORM' && ['AIFF', 'AIFC'].includes(ascii(8, 12))) return 'aiff'
  if (/^#!AMR(-WB)?\n/.test(ascii(0, 9))) return 'amr'
  if (isEbml(head)) return formatOfDocType(ebmlDocType(head))
  const box = ascii(4, 8)
  if (box === 'ftyp') return formatOfBrand(ascii(8, 12))
  // QuickTime files from before the ftyp box.
  return ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(box) ? 'mov' : undefined
}

/** Detects streams that tags can precede. A stream without a header is detected by consecutive frames that agree. */
function sniffAudioFrames(bytes: Buffer): MediaFormat | undefined {
  const start = bytes.findIndex((byte) => byte !== 0)
  if (start < 0) return undefined
  const frames = bytes.subarray(start)
  if (frames.toString('latin1', 0, 4) === 'fLaC') return 'flac'
  if (isChain(frames, adtsFrames)) return 'aac'
  return isChain(frames, mpegAudioFrames) ? 'mp3' : undefined
}

/** Detects streams that begin inside of a frame, with zeros, or with a tag that is longer than it says. */
function findAudioFrames(bytes: Buffer): MediaFormat | undefined {
  if (holdsFrames(bytes, mpegAudioFrames, maxSkippedBytes)) return 'mp3'
  return holdsFrames(bytes, adtsFrames, maxSkippedBytes) ? 'aac' : undefined
}

function formatOfBrand(brand: string): MediaFormat | undefined {
  if (brand === 'qt  ') return 'mov'
  if (brand.startsWith('M4A') || brand.startsWith('M4B')) return 'm4a'
  if (brand.startsWith('M4V')) return 'm4v'
  // Still images use the same boxes.
  return /^(heic|heix|hevc|hevx|heim|heis|mif1|msf1|avif|avis|crx |jp2 |jpx )/.test(brand) ? undefined : 'mp4'
}

function isEbml(head: Buffer): boolean {
  return head.length > 4 && head.readUInt32BE(0) === 0x1a45dfa3
}

function formatOfDocType(docType: string | undefined): MediaFormat | undefined {
  if (docType === 'webm') return 'webm'
  return docType === 'matroska' ? 'mkv' : undefined
}

/** The DocType element (id 0x4282) of the EBML header. */
function ebmlDocType(head: Buffer): string | undefined {
  const at = head.indexOf(Buffer.from([0x42, 0x82]))
  const size = at < 0 ? undefined : head[at + 2]
  // One-byte lengths have their top bit set.
  return size === undefined || size < 0x80
    ? undefined
    : head.toString('latin1', at + 3, at + 3 + (size & 0x7f)).replace(/\0+$/, '')
}

/** Writers add one, sometimes two. */
const maxTags = 8

/** The bytes after ID3v2 tags, which precede the frames and can contain a cover of megabytes. */
async function afterTags(
  readAt: (position: number) => Promise<Buffer>,
  head: Buffer,
): Promise<{ readonly position: number; readonly bytes: Buffer }> {
  let position = 0
  let bytes = head
  for (let tag = 0; tag < maxTags && bytes.length >= 10 && bytes.toString('latin1', 0, 3) === 'ID3'; tag++) {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10)
    const hasFooter = ((bytes[5] ?? 0) & 0x10) !== 0
    // A byte of the size has seven bits.
    if ([a, b, c, d].some((byte) => byte > 0x7f)) break
    position += 10 + ((a << 21) | (b << 14) | (c << 7) | d) + (hasFooter ? 10 : 0)
    bytes = await readAt(position)
  }
  return { position, bytes }
}

// Names for files that are refused, so that the message says what the caller sent.

interface Signature {
  /** The first bytes in latin1. With `at`, the bytes from that position on. */
  readonly bytes: string
  readonly at?: number
  readonly name: string
  /** True for media, which callers can convert. Other files were sent by mistake. */
  readonly isMedia?: true
}

const signatures: readonly Signature[] = [
  { bytes: 'PK\x03\x04', name: 'a ZIP file' },
  { bytes: 'PK\x05\x06', name: 'a ZIP file' },
  { bytes: 'Rar!', name: 'a RAR archive' },
  { bytes: '7z\xbc\xaf\x27\x1c', name: 'a 7-Zip archive' },
  { bytes: '\x1f\x8b', name: 'a gzip archive' },
  { bytes: '%PDF', name: 'a PDF document' },
  { bytes: '\x89PNG', name: 'a PNG picture' },
  { bytes: '\xff\xd8\xff', name: 'a JPEG picture' },
  { bytes: 'GIF8', name: 'a GIF picture' },
  { bytes: 'WEBP', at: 8, name: 'a WebP picture' },
  { bytes: 'ftyphei', at: 4, name: 'a HEIC picture' },
  { bytes: 'ftypmif1', at: 4, name: 'a HEIC picture' },
  { bytes: 'ftypavi', at: 4, name: 'an AVIF picture' },
  { bytes: 'MThd', name: 'a MIDI file, which holds notes and no sound' },
  { bytes: 'MZ', name: 'a program' },
  { bytes: '\x7fELF', name: 'a program' },
  { bytes: 'AVI ', at: 8, name: 'an AVI video', isMedia: true },
  { bytes: 'FLV\x01', name: 'a Flash video', isMedia: true },
  { bytes: '\x30\x26\xb2\x75\x8e\x66\xcf\x11', name: 'a Windows Media file (WMV or WMA)', isMedia: true },
  { bytes: '\x00\x00\x01\xba', name: 'an MPEG program stream', isMedia: true },
  { bytes: '\x00\x00\x01\xb3', name: 'an MPEG video without a container', isMedia: true },
  { bytes: '\x00\x00\x00\x01\x09', name: 'an H.264 video without a container', isMedia: true },
  { bytes: '\x00\x00\x00\x01\x67', name: 'an H.264 video without a container', isMedia: true },
  { bytes: '\x00\x00\x00\x01\x40\x01', name: 'an H.265 video without a container', isMedia: true },
  { bytes: 'DKIF', name: 'an IVF video', isMedia: true },
  { bytes: '\x06\x0e\x2b\x34', name: 'an MXF file', isMedia: true },
  { bytes: '.RMF', name: 'a RealMedia file', isMedia: true },
  { bytes: 'wvpk', name: 'a WavPack file', isMedia: true },
  { bytes: 'MAC ', name: "a Monkey's Audio file", isMedia: true },
  { bytes: 'caff', name: 'a Core Audio file (CAF)', isMedia: true },
  { bytes: 'DSD ', name: 'a DSD file', isMedia: true },
  { bytes: 'FRM8', name: 'a DSD file', isMedia: true },
  { bytes: 'MPCK', name: 'a Musepack file', isMedia: true },
  { bytes: 'MP+', name: 'a Musepack file', isMedia: true },
  { bytes: 'TTA1', name: 'a True Audio file (TTA)', isMedia: true },
  { bytes: 'ajkg', name: 'a Shorten file', isMedia: true },
  { bytes: '.snd', name: 'an AU file', isMedia: true },
  { bytes: '\x0b\x77', name: 'an AC-3 stream without a container', isMedia: true },
  { bytes: '\x7f\xfe\x80\x01', name: 'a DTS stream without a container', isMedia: true },
]

/** Packets of an MPEG transport stream, which begin with the same byte. Cameras and Blu-ray discs write a time of four bytes before each. */
const transportPackets = [
  { bytes: 188, sync: 0 },
  { bytes: 192, sync: 4 },
]

/** Says what a refused file is, judged by its first bytes, and what to send instead. */
export function describeForeign(head: Buffer): string {
  if (head.length === 0) return `The file is empty. ${advice}`
  const text = head.toString('latin1', 0, 512).trimStart()
  if (text.startsWith('#EXTM3U') || /<MPD[\s>]/.test(text)) {
    return 'The file is a streaming playlist, not media. Send the media file itself.'
  }
  if (isStreamSegment(head)) {
    return 'The file is a segment of a stream, without the part that describes its tracks. Put its initialization segment in front of it, or send the whole media.'
  }
  if (/^<(!doctype html|html|\?xml|svg)/i.test(text))
    return `The file is a web page or a document, not media. ${advice}`
  const found = signatureOf(head)
  if (found?.isMedia) return convert(found.name)
  if (found) return `The file is ${found.name}, not media. ${advice}`
  if (isTransportStream(head)) return convert('an MPEG transport stream')
  return `The content of the file has no supported format, whatever its name says. ${advice}`
}

/** Whether the first bytes name a format that is not supported. */
function isForeign(head: Buffer): boolean {
  return signatureOf(head) !== undefined || isTransportStream(head) || isStreamSegment(head)
}

function signatureOf(head: Buffer): Signature | undefined {
  return signatures.find(({ bytes, at = 0 }) => head.toString('latin1', at, at + bytes.length) === bytes)
}

function isTransportStream(head: Buffer): boolean {
  return transportPackets.some(({ bytes, sync }) => [0, 1, 2].every((packet) => head[sync + packet * bytes] === 0x47))
}

/** Whether a segment of fragmented MP4 or of WebM begins the file, as players load it behind an initialization segment. */
function isStreamSegment(head: Buffer): boolean {
  const isCluster = head.length > 4 && head.readUInt32BE(0) === 0x1f43b675
  return isCluster || ['styp', 'sidx', 'moof', 'emsg', 'prft'].includes(head.toString('latin1', 4, 8))
}

const advice = `Use one of ${acceptedFormats}.`

function convert(name: string): string {
  return `The file is ${name}, which is not supported. Convert it to one of ${acceptedFormats}.`
}
