import { type FileHandle, open } from 'node:fs/promises'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'

// Reads and replaces the avcC box in an MP4 file that ffmpeg wrote for this service, with its index last.

/** From the index of the file to the box. A visual sample entry has 78 bytes of fields before its boxes. */
const ancestors = [
  ['moov', 0],
  ['trak', 0],
  ['mdia', 0],
  ['minf', 0],
  ['stbl', 0],
  ['stsd', 8],
  ['avc1', 78],
  ['avcC', 0],
] as const

/** The index of an hour of film takes 2 MB. */
const maxIndexBytes = 64 * 2 ** 20

/** The contents of the avcC box. */
export async function readAvcBox(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { index } = await readIndex(handle)
    const { start, end } = pathOfBoxes(index).at(-1) ?? { start: 0, end: 0 }
    return index.subarray(start, end)
  } finally {
    await handle.close()
  }
}

export async function replaceAvcBox(file: string, contents: Buffer): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const { index, at } = await readIndex(handle)
    const boxes = pathOfBoxes(index)
    const { start, end } = boxes.at(-1) ?? { start: 0, end: 0 }
    const grown = contents.length - (end - start)
    for (const { sizeAt } of boxes) index.writeUInt32BE(index.readUInt32BE(sizeAt) + grown, sizeAt)
    const replaced = Buffer.concat([index.subarray(0, start), contents, index.subarray(end)])
    await handle.truncate(at)
    await handle.write(replaced, 0, replaced.length, at)
  } finally {
    await handle.close()
  }
}

/** The last box of the file, so that a longer one moves no media. */
async function readIndex(handle: FileHandle): Promise<{ readonly index: Buffer; readonly at: number }> {
  const { size } = await handle.stat()
  const header = Buffer.alloc(16)
  for (let at = 0; at < size; ) {
    await handle.read(header, 0, 16, at)
    const short = header.readUInt32BE(0)
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short
    if (length < 8) break
    if (header.toString('latin1', 4, 8) === 'moov' && at + length === size && length <= maxIndexBytes) {
      const index = Buffer.alloc(length)
      await handle.read(index, 0, length, at)
      return { index, at }
    }
    at += length
  }
  throw new CopyRefusal('the copied packets cannot be described')
}

function pathOfBoxes(index: Buffer) {
  let [start, end] = [0, index.length]
  return ancestors.map(([type, fields]) => {
    const box = findBox(index, type, start, end)
    refuseUnless(box !== undefined, 'the copied packets cannot be described')
    start = box.start + fields
    end = box.end
    return { ...box, start }
  })
}

function findBox(index: Buffer, type: string, from: number, to: number) {
  for (let at = from; at + 8 <= to; ) {
    const length = index.readUInt32BE(at)
    if (length < 8) return undefined
    if (index.toString('latin1', at + 4, at + 8) === type) return { sizeAt: at, start: at + 8, end: at + length }
    at += length
  }
  return undefined
}
