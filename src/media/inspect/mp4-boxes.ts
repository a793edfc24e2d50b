import { ServiceError } from '../../core/errors.ts'
import type { FfmpegInput } from '../../core/ffmpeg.ts'
import type { MediaSource } from '../source/media-source.ts'

/** Whether files of the format consist of boxes, with an index of all packets in one of them. */
export function hasBoxes(format: FfmpegInput['format']): boolean {
  return ['mp4', 'mov', 'm4v', 'm4a'].includes(format)
}

interface Box {
  readonly type: string
  /** Start of what it contains. */
  readonly inside: number
  /** Start of the next box. */
  readonly end: number
}

/** Enough for an hour of fragments of one second, each with its index. Later boxes are not read, because a file can have millions. */
const maxBoxes = 10_000

/** Heads of small boxes share a read. */
const blockBytes = 4096
const headerBytes = 16

/** Reads the first boxes of an MP4 or MOV file, in order: those at its top, or those inside of another. Bytes after the last box are ignored. */
function boxReader(source: MediaSource, signal: AbortSignal) {
  let block = Buffer.alloc(0)
  let [blockStart, boxes] = [0, 0]
  const readBytes = async (at: number, length: number) => {
    if (at < blockStart || at + length > blockStart + block.length) {
      block = Buffer.from(await source.readAt(at, blockBytes, signal))
      blockStart = at
    }
    const bytes = Buffer.alloc(length)
    block.copy(bytes, 0, at - blockStart)
    return bytes
  }
  async function* readBoxes(start = 0, end = source.bytes): AsyncGenerator<Box> {
    let at = start
    while (at + boxHeadBytes <= end && boxes++ < maxBoxes) {
      const header = await readBytes(at, headerBytes)
      const short = header.readUInt32BE(0)
      // 1: a 64-bit size follows the type; 0: up to the end.
      const length = short === 1 ? Number(header.readBigUInt64BE(boxHeadBytes)) : short || end - at
      if (length < boxHeadBytes) return
      const inside = at + (short === 1 ? headerBytes : boxHeadBytes)
      at += length
      yield { type: header.toString('latin1', 4, boxHeadBytes), inside, end: at }
    }
  }
  return { readBytes, readBoxes }
}

/**
 * Throws `processing_failed` for an MP4 or MOV file whose last box is longer than the file: its index lists media that is
 * missing, and ffmpeg would read it as if it ended early.
 */
export async function assertCompleteBoxes(source: MediaSource, signal: AbortSignal): Promise<void> {
  for await (const { type, end } of boxReader(source, signal).readBoxes()) {
    if (end > source.bytes && ['mdat', 'moov', 'moof'].includes(type)) {
      throw new ServiceError('processing_failed', 'The file is incomplete: its end is missing. Upload the whole file.')
    }
  }
}

/** The boxes around those of a track that say what and where its samples are. */
const samplesPath = ['moov', 'trak', 'mdia', 'minf']

/**
 * Throws `unsupported_file_type` for an MP4 or MOV file with a track in another file, or with one that changes its codec: ffmpeg, which may not
 * open another file, would leave the track out, or take bytes of this file for it, and it leaves out all samples that are not of the first codec.
 */
export async function assertReadableTracks(source: MediaSource, signal: AbortSignal): Promise<void> {
  const { readBytes, readBoxes } = boxReader(source, signal)
  async function* boxesAt([name, ...inner]: readonly string[], from?: number, end?: number): AsyncGenerator<Box> {
    for await (const box of readBoxes(from, end)) {
      if (name === undefined) yield box
      // The number of entries stands before the first.
      else if (box.type === name)
        yield* boxesAt(inner, box.inside + (['dref', 'stsd'].includes(name) ? 2 * versionBytes : 0), box.end)
      // The tables behind it are large.
      if (box.type === 'stsd') return
    }
  }
  let header = ''
  for await (const { type, inside, end } of boxesAt(samplesPath)) {
    if (type.endsWith('mhd')) header = type
    if (type === 'dinf')
      for await (const reference of boxesAt(['dref'], inside, end)) await assertOwn(reference, readBytes)
    if (type === 'stbl' && ['vmhd', 'smhd'].includes(header)) await assertOneCodec(boxesAt(['stsd'], inside, end))
  }
}

async function assertOneCodec(descriptions: AsyncIterable<Box>): Promise<void> {
  const codecs = new Set<string>()
  for await (const { type } of descriptions) codecs.add(type.trim())
  // Encrypted samples are refused for what they are.
  if (codecs.size < 2 || [...codecs].some((codec) => codec.startsWith('enc'))) return
  throw new ServiceError(
    'unsupported_file_type',
    `A track of the file changes its codec, from ${[...codecs].join(' to ')}. Export the media with one codec, and use that.`,
  )
}

async function assertOwn(
  { type, inside, end }: Box,
  readBytes: (at: number, length: number) => Promise<Buffer>,
): Promise<void> {
  const content = await readBytes(inside, versionBytes + 1)
  // ISO/IEC 14496-12, 8.7.2. Some writers leave the flag out, and name nothing.
  const isOwn = (content.readUInt32BE(0) & 1) === 1
  const namesNothing = end - inside <= versionBytes || (type === 'url ' && content[versionBytes] === 0)
  if (!(isOwn || namesNothing))
    throw new ServiceError(
      'unsupported_file_type',
      'Sound or picture of the file is in another file, to which this one only refers. Export the media as one self-contained file, and use that.',
    )
}

/** Whether the media is stored in many fragments, each with its own index. */
export async function isFragmented(source: MediaSource, signal: AbortSignal): Promise<boolean> {
  for await (const { type } of boxReader(source, signal).readBoxes()) if (type === 'moof') return true
  return false
}

/**
 * Output options for fragments of QuickTime, each of which states its time, even if the stream starts late. `flags` are further
 * ones of `-movflags`.
 */
export function fragmentOptions(...flags: readonly string[]): readonly string[] {
  return [
    // The trailer lists all fragments, so that it can have any length.
    ...['-f', 'mov', '-movflags', ['empty_moov', 'frag_discont', 'skip_trailer', ...flags].join('+')],
    // Either of them would move the first packet to 0.
    ...['-use_editlist', '0', '-avoid_negative_ts', 'disabled'],
  ]
}

/** The sizes of a box's head, and of what `tfdt` has before its 64-bit time (ISO/IEC 14496-12, 4.2 and 8.8.12). */
const boxHeadBytes = 8
const versionBytes = 4
const timeBytes = 8

/** The boxes of one track without tags and chapters take about 1 kB. A larger one is refused before its content is kept. */
const maxBoxBytes = 65_536

/** Where bytes of media data are. */
interface FragmentPlace {
  /** Of their fragment, in the unit of the track. */
  readonly time: number
  /** The first byte and the number of bytes, in the media data of the fragment. */
  readonly at: number
  readonly bytesOfFragment: number
}

/**
 * Parses a stream that was made with `fragmentOptions`, in chunks of any length. Passes media data on as views of the chunks, and keeps
 * one other box. Throws `processing_failed` for anything but fragments of one track.
 */
export function fragmentReader(onMedia: (bytes: Buffer, place: FragmentPlace) => void): (chunk: Buffer) => void {
  const box = Buffer.alloc(maxBoxBytes)
  let [kept, needed] = [0, boxHeadBytes]
  let time: number | undefined
  let [at, bytesOfFragment] = [0, 0]
  const readBox = () => {
    const { name, boxBytes, neededBytes } = boxIn(box.subarray(0, kept))
    needed = neededBytes
    if (kept < needed) return
    if (name === 'moof') time = timeOf(box.subarray(0, kept))
    if (name === 'mdat') [at, bytesOfFragment] = [0, boxBytes - boxHeadBytes]
    ;[kept, needed] = [0, boxHeadBytes]
  }
  /** These two return how many bytes they took. */
  const takeMedia = (bytes: Buffer) => {
    if (time === undefined) throw unreadableStream('media data without a fragment')
    const media = bytes.subarray(0, bytesOfFragment - at)
    onMedia(media, { time, at, bytesOfFragment })
    at += media.length
    if (at === bytesOfFragment) time = undefined
    return media.length
  }
  const takeBox = (bytes: Buffer) => {
    const taken = bytes.copy(box, kept, 0, needed - kept)
    kept += taken
    if (kept === needed) readBox()
    return taken
  }
  return (chunk) => {
    for (let rest = chunk; rest.length > 0; )
      rest = rest.subarray(at < bytesOfFragment ? takeMedia(rest) : takeBox(rest))
  }
}

/** The box that begins here, and how much of it must have arrived to read it: of media data only the head. */
function boxIn(content: Buffer) {
  const boxBytes = content.readUInt32BE(0)
  const name = content.toString('latin1', 4, boxHeadBytes)
  const neededBytes = name === 'mdat' ? boxHeadBytes : boxBytes
  if (boxBytes < boxHeadBytes || neededBytes > maxBoxBytes) throw unreadableStream(`a box of ${boxBytes} bytes`)
  return { name, boxBytes, neededBytes }
}

/** The time of a `moof` box of one track, in the track's unit. */
function timeOf(moof: Buffer): number {
  const [fragment, another] = childrenOf(moof, 'traf')
  const [time] = fragment ? childrenOf(fragment, 'tfdt') : []
  if (another || !time || time.length < boxHeadBytes + versionBytes + timeBytes)
    throw unreadableStream('not the fragment of one track')
  return Number(time.readBigUInt64BE(boxHeadBytes + versionBytes))
}

/** The boxes of this name directly inside a box. */
function childrenOf(box: Buffer, wanted: string): Buffer[] {
  const children: Buffer[] = []
  for (let rest = box.subarray(boxHeadBytes); rest.length > 0; ) {
    if (rest.length < boxHeadBytes) throw unreadableStream('a cut box')
    const { name, boxBytes } = boxIn(rest)
    if (boxBytes > rest.length) throw unreadableStream(`a box of ${boxBytes} bytes in ${rest.length}`)
    if (name === wanted) children.push(rest.subarray(0, boxBytes))
    rest = rest.subarray(boxBytes)
  }
  return children
}

/** A stream between ffmpeg and this process that is not as its options ask for. Another try would read the same. */
export function unreadableStream(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('processing_failed', undefined, {
    cause: new Error(`unreadable stream of ffmpeg: ${reason}`, { cause }),
  })
}
