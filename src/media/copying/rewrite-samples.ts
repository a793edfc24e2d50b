import { type FileHandle, open, rename } from 'node:fs/promises'
import { maxCodedPackets } from './coded-packets.ts'
import { refuseCut, refuseUnless } from './copy-refusal.ts'
import {
  type BoxPath,
  contentsOf,
  firstSampleAt,
  type Mp4Index,
  readIndex,
  sampleTable,
  withContents,
} from './mp4-index.ts'

/** How a file is rewritten: its samples, and the contents of one box of its index. */
export interface Rewriting {
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
    refuseUnless(at + size <= end, undescribed)
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
const undescribed = 'the encoded packets cannot be described'

function samplesOf({ bytes, at: end }: Mp4Index) {
  const [at, sizes] = [firstSampleAt(bytes), sampleSizes(bytes)]
  refuseUnless(at >= 8 && at + sizes.reduce((sum, size) => sum + size, 0) === end, undescribed)
  return { at, sizes }
}

/** ISO/IEC 14496-12, 8.7.3.2. */
function sampleSizes(index: Buffer): number[] {
  const table = contentsOf(index, sizesPath)
  return refuseCut(undescribed, () => {
    const [same, count] = [table.readUInt32BE(4), table.readUInt32BE(8)]
    refuseUnless(count <= maxCodedPackets, undescribed)
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
    refuseUnless(moved !== undefined, undescribed)
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
  refuseUnless(header.toString('latin1', 4) === 'mdat' && size < 2 ** 32, undescribed)
  header.writeUInt32BE(size, 0)
  await target.write(header, 0, 8, samplesAt - 8)
}
