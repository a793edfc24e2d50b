import { type FileHandle, open, rename } from 'node:fs/promises'
import { maxCodedPackets } from './coded-packets.ts'
import { CopyRefusal, refuseCut, refuseUnless } from './copy-refusal.ts'
import { tooManySets } from './nal-units.ts'

// The index (moov) of an MP4 file that ffmpeg wrote for this service: the index is last, so that a longer one moves no media. Paths lead to
// the first track.

/** The index of an hour of film takes 2 MB. */
const maxIndexBytes = 64 * 2 ** 20
/** ffmpeg writes four. */
const maxBoxes = 16
const undescribedCopies = 'the copied packets cannot be described'

/** The bytes of fields that some boxes have before the boxes within. Sample entries of pictures have 78 (ISO/IEC 14496-12, 12.1.3). */
const fieldBytes: Readonly<Record<string, number>> = { stsd: 8, avc1: 78, hvc1: 78 }

/** The names of boxes, each in the one before. */
type BoxPath = readonly string[]

export const sampleTable: BoxPath = ['moov', 'trak', 'mdia', 'minf', 'stbl']

interface Mp4Index {
  readonly bytes: Buffer
  /** Where it starts in the file. */
  readonly at: number
}

/** Throws `CopyRefusal` if the file does not end with its index. */
async function readIndex(handle: FileHandle): Promise<Mp4Index> {
  const { size } = await handle.stat()
  const header = Buffer.alloc(16)
  for (let at = 0, boxes = 0; at + header.length <= size && boxes < maxBoxes; boxes++) {
    await handle.read(header, 0, header.length, at)
    const short = header.readUInt32BE(0)
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short
    if (length < 8) break
    if (header.toString('latin1', 4, 8) === 'moov' && at + length === size && length <= maxIndexBytes) {
      const bytes = Buffer.alloc(length)
      await handle.read(bytes, 0, length, at)
      return { bytes, at }
    }
    at += length
  }
  throw new CopyRefusal(undescribedCopies)
}

/** What is in the box: a view of the index. */
export function contentsOf(index: Buffer, path: BoxPath): Buffer {
  const { start, end } = boxesOf(index, path).at(-1) ?? { start: 0, end: 0 }
  return index.subarray(start, end)
}

/** The position in the file at which the track's first sample is (ISO/IEC 14496-12, 8.7.5). */
function firstSampleAt(index: Buffer): number {
  const { start, end } = boxesOf(index, sampleTable).at(-1) ?? { start: 0, end: 0 }
  // A file of more than 4 GiB has longer numbers.
  const long = findBox(index, 'co64', start, end)
  return refuseCut(undescribedCopies, () =>
    long ? Number(index.readBigUInt64BE(long.start + 8)) : contentsOf(index, [...sampleTable, 'stco']).readUInt32BE(8),
  )
}

/** The index with other contents of the box. */
export function withContents(index: Buffer, path: BoxPath, contents: Buffer): Buffer {
  const boxes = boxesOf(index, path)
  const { start, end } = boxes.at(-1) ?? { start: 0, end: 0 }
  const replaced = Buffer.concat([index.subarray(0, start), contents, index.subarray(end)])
  const grown = contents.length - (end - start)
  for (const { sizeAt } of boxes) replaced.writeUInt32BE(replaced.readUInt32BE(sizeAt) + grown, sizeAt)
  return replaced
}

function boxesOf(index: Buffer, path: BoxPath) {
  let [start, end] = [0, index.length]
  return path.map((type) => {
    const box = findBox(index, type, start, end)
    refuseUnless(box !== undefined, undescribedCopies)
    start = box.start + (fieldBytes[type] ?? 0)
    end = box.end
    return { ...box, start }
  })
}

function findBox(index: Buffer, type: string, from: number, to: number) {
  for (let at = from; at + 8 <= to; ) {
    const length = index.readUInt32BE(at)
    if (length < 8 || at + length > to) return undefined
    if (index.toString('latin1', at + 4, at + 8) === type) return { sizeAt: at, start: at + 8, end: at + length }
    at += length
  }
  return undefined
}

/** How a file is rewritten: its samples, and the contents of one box of its index. */
interface Rewriting {
  readonly sample: (sample: Buffer, isLast: boolean) => Buffer
  readonly box: BoxPath
  readonly contents: (box: Buffer) => Buffer
}

/** Rewrites an MP4 file of one track, whose samples lie together. Their lengths may change. */
export async function rewriteSamples(file: string, { sample, box, contents }: Rewriting): Promise<void> {
  const rewritten = `${file}.rewritten`
  const source = await open(file, 'r')
  try {
    const target = await open(rewritten, 'w+')
    try {
      const from = await readIndex(source)
      const samples = samplesOf(from)
      await copyBytes(source, target, samples.at)
      const chunks = new Map<number, number>()
      let [at, to] = [samples.at, samples.at]
      const sizes: number[] = []
      for (const [number, size] of samples.sizes.entries()) {
        const bytes = Buffer.alloc(size)
        await source.read(bytes, 0, size, at)
        const written = sample(bytes, number === samples.sizes.length - 1)
        await target.write(written, 0, written.length, to)
        chunks.set(at, to)
        sizes.push(written.length)
        at += size
        to += written.length
      }
      await growMedia(target, samples.at, to - at)
      const moved = withSamples(from.bytes, sizes, chunks)
      const described = withContents(moved, box, contents(contentsOf(moved, box)))
      await target.write(described, 0, described.length, to)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
  await rename(rewritten, file)
}

/** Changes the first sample of an MP4 file in its place: of its first track, if it has several. */
export async function changeFirstSample(file: string, change: (sample: Buffer) => void): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const { bytes, at: end } = await readIndex(handle)
    const at = firstSampleAt(bytes)
    const size = sampleSizes(bytes)[0] ?? 0
    refuseUnless(at + size <= end, undescribedEncoding)
    const sample = Buffer.alloc(size)
    await handle.read(sample, 0, sample.length, at)
    change(sample)
    await handle.write(sample, 0, sample.length, at)
  } finally {
    await handle.close()
  }
}

const sizesPath = [...sampleTable, 'stsz']
const chunksPath = [...sampleTable, 'stco']
const undescribedEncoding = 'the encoded packets cannot be described'

function samplesOf({ bytes, at: end }: Mp4Index) {
  const [at, sizes] = [firstSampleAt(bytes), sampleSizes(bytes)]
  refuseUnless(at >= 8 && at + sizes.reduce((sum, size) => sum + size, 0) === end, undescribedEncoding)
  return { at, sizes }
}

/** ISO/IEC 14496-12, 8.7.3.2. */
function sampleSizes(index: Buffer): number[] {
  const table = contentsOf(index, sizesPath)
  return refuseCut(undescribedEncoding, () => {
    const [same, count] = [table.readUInt32BE(4), table.readUInt32BE(8)]
    refuseUnless(count <= maxCodedPackets, undescribedEncoding)
    return Array.from({ length: count }, (_, number) => same || table.readUInt32BE(12 + 4 * number))
  })
}

function withSamples(index: Buffer, sizes: readonly number[], chunks: ReadonlyMap<number, number>): Buffer {
  const table = Buffer.alloc(12 + 4 * sizes.length)
  table.writeUInt32BE(sizes.length, 8)
  for (const [number, size] of sizes.entries()) table.writeUInt32BE(size, 12 + 4 * number)
  const starts = Buffer.from(contentsOf(index, chunksPath))
  for (let at = 8; at + 4 <= starts.length; at += 4) {
    const moved = chunks.get(starts.readUInt32BE(at))
    refuseUnless(moved !== undefined, undescribedEncoding)
    starts.writeUInt32BE(moved, at)
  }
  return withContents(withContents(index, chunksPath, starts), sizesPath, table)
}

async function copyBytes(source: FileHandle, target: FileHandle, length: number): Promise<void> {
  const bytes = Buffer.alloc(length)
  await source.read(bytes, 0, length, 0)
  await target.write(bytes, 0, length, 0)
}

/** The header of the box of media is before the samples. */
async function growMedia(target: FileHandle, samplesAt: number, grown: number): Promise<void> {
  const header = Buffer.alloc(8)
  await target.read(header, 0, 8, samplesAt - 8)
  const size = header.readUInt32BE(0) + grown
  refuseUnless(header.toString('latin1', 4) === 'mdat' && size < 2 ** 32, undescribedEncoding)
  header.writeUInt32BE(size, 0)
  await target.write(header, 0, 8, samplesAt - 8)
}

// The box of an MP4 file that holds the parameter sets of its picture.

/** Its name, in a sample entry, such as `avcC` in `avc1`. */
export interface SetsBox {
  readonly entry: string
  readonly name: string
}

export function setsPath({ entry, name }: SetsBox): BoxPath {
  return [...sampleTable, 'stsd', entry, name]
}

/** Parameter sets take some hundred bytes. Sources can have longer ones, which are parsed on the main thread. */
const maxSetsBytes = 64 * 1024

export async function readSetsBox(file: string, box: SetsBox): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const contents = contentsOf((await readIndex(handle)).bytes, setsPath(box))
    refuseUnless(contents.length <= maxSetsBytes, tooManySets)
    return contents
  } finally {
    await handle.close()
  }
}

export async function replaceSetsBox(file: string, box: SetsBox, contents: Buffer): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const { bytes, at } = await readIndex(handle)
    const replaced = withContents(bytes, setsPath(box), contents)
    await handle.truncate(at)
    await handle.write(replaced, 0, replaced.length, at)
  } finally {
    await handle.close()
  }
}
