import { acceptedFormats } from '../../core/media.ts'

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
  { bytes: '.RMF', name: 'a RealMedia file', isMedia: true },
  { bytes: 'wvpk', name: 'a WavPack file', isMedia: true },
  { bytes: 'MAC ', name: "a Monkey's Audio file", isMedia: true },
  { bytes: 'caff', name: 'a Core Audio file (CAF)', isMedia: true },
  { bytes: 'DSD ', name: 'a DSD file', isMedia: true },
]

/** Packets of an MPEG transport stream, which begin with the same byte. */
const transportPacketBytes = 188

/** Says what a refused file is, judged by its first bytes, and what to send instead. */
export function describeForeign(head: Buffer): string {
  if (head.length === 0) return `The file is empty. ${advice}`
  const text = head.toString('latin1', 0, 512).trimStart()
  if (text.startsWith('#EXTM3U') || /<MPD[\s>]/.test(text)) {
    return 'The file is a streaming playlist, not media. Send the media file itself.'
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
export function isForeign(head: Buffer): boolean {
  return signatureOf(head) !== undefined || isTransportStream(head)
}

function signatureOf(head: Buffer): Signature | undefined {
  return signatures.find(({ bytes, at = 0 }) => head.toString('latin1', at, at + bytes.length) === bytes)
}

function isTransportStream(head: Buffer): boolean {
  return [0, 1, 2].every((packet) => head[packet * transportPacketBytes] === 0x47)
}

const advice = `Use one of ${acceptedFormats}.`

function convert(name: string): string {
  return `The file is ${name}, which is not supported. Convert it to one of ${acceptedFormats}.`
}
