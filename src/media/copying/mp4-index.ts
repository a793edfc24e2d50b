import type { FileHandle } from 'node:fs/promises'
import { CopyRefusal, refuseCut, refuseUnless } from './copy-refusal.ts'

// The index (moov) of an MP4 file that ffmpeg wrote for this service: the index is last, so that a longer one moves no media. Paths lead to
// the first track.

/** The index of an hour of film takes 2 MB. */
const maxIndexBytes = 64 * 2 ** 20
/** ffmpeg writes four. */
const maxBoxes = 16
const undescribed = 'the copied packets cannot be described'

/** The bytes of fields that some boxes have before the boxes within. Sample entries of pictures have 78 (ISO/IEC 14496-12, 12.1.3). */
const fieldBytes: Readonly<Record<string, number>> = { stsd: 8, avc1: 78, hvc1: 78 }

/** The names of boxes, each in the one before. */
export type BoxPath = readonly string[]

export const sampleTable: BoxPath = ['moov', 'trak', 'mdia', 'minf', 'stbl']

export interface Mp4Index {
  readonly bytes: Buffer
  /** Where it starts in the file. */
  readonly at: number
}

/** Throws `CopyRefusal` if the file does not end with its index. */
export async function readIndex(handle: FileHandle): Promise<Mp4Index> {
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
  throw new CopyRefusal(undescribed)
}

/** What is in the box: a view of the index. */
export function contentsOf(index: Buffer, path: BoxPath): Buffer {
  const { start, end } = boxesOf(index, path).at(-1) ?? { start: 0, end: 0 }
  return index.subarray(start, end)
}

/** The position in the file at which the track's first sample is (ISO/IEC 14496-12, 8.7.5). */
export function firstSampleAt(index: Buffer): number {
  const { start, end } = boxesOf(index, sampleTable).at(-1) ?? { start: 0, end: 0 }
  // A file of more than 4 GiB has longer numbers.
  const long = findBox(index, 'co64', start, end)
  return refuseCut(undescribed, () =>
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
    refuseUnless(box !== undefined, undescribed)
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
