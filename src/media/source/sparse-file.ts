import { type FileHandle, open } from 'node:fs/promises'
import { onDisk } from '../../core/disk-errors.ts'
import { createByteSpans } from './byte-spans.ts'
import type { RangedBytes } from './media-source.ts'

export interface SparseFile {
  /** As `RangedBytes.read`; what had to be fetched stays, if `keep`. */
  read(start: number, keep: boolean, signal: AbortSignal): AsyncGenerator<Buffer>
  close(): Promise<void>
}

const pieceBytes = 256 * 1024

/** Keeps what was read of the bytes in a file that has holes where nothing was. */
export async function openSparseFile(path: string, origin: RangedBytes): Promise<SparseFile> {
  const file = await onDisk(() => open(path, 'w+'))
  const kept = createByteSpans()

  async function* readKept(from: number, to: number): AsyncGenerator<Buffer> {
    for (let at = from; at < to; ) {
      const length = Math.min(pieceBytes, to - at)
      const { buffer, bytesRead } = await onDisk(() => file.read(Buffer.allocUnsafe(length), 0, length, at))
      if (bytesRead === 0) throw new Error('the sparse file is shorter than what was written to it')
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  }

  async function* fetch(from: number, to: number, keep: boolean, signal: AbortSignal): AsyncGenerator<Buffer> {
    let at = from
    for await (const chunk of origin.read(from, signal)) {
      const piece = chunk.subarray(0, to - at)
      if (keep) {
        await onDisk(() => writeWhole(file, piece, at))
        kept.add({ start: at, end: at + piece.length })
      }
      at += piece.length
      yield piece
      if (at === to) return
    }
  }

  return {
    async *read(start, keep, signal) {
      for (let at = start; at < origin.bytes; ) {
        const here = kept.endingAfter(at)
        const isKept = here !== undefined && here.start <= at
        const to = isKept ? here.end : (here?.start ?? origin.bytes)
        yield* isKept ? readKept(at, to) : fetch(at, to, keep, signal)
        at = to
      }
    },
    close: () => file.close(),
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}
