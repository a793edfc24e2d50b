import { type FileHandle, open } from 'node:fs/promises'
import { onDisk } from '../../core/disk-errors.ts'
import { createByteSpans } from './byte-spans.ts'
import type { RangedBytes } from './media-source.ts'

export interface SparseFile {
  /**
   * Reads from `start` to the end: cached bytes from the file, other bytes from their source. With `cache`, the other bytes are
   * added to the file.
   */
  read(start: number, options: { readonly cache: boolean; readonly signal: AbortSignal }): AsyncGenerator<Buffer>
  /** Fetches and caches every byte that is not cached yet. */
  fill(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const chunkBytes = 256 * 1024

/** Caches bytes of a source in a sparse file, which has holes where nothing was read yet. */
export async function openSparseFile(path: string, ranges: RangedBytes): Promise<SparseFile> {
  const file = await onDisk(() => open(path, 'w+'))
  const cached = createByteSpans()

  async function* readCached(from: number, to: number): AsyncGenerator<Buffer> {
    for (let at = from; at < to; ) {
      const length = Math.min(chunkBytes, to - at)
      const { buffer, bytesRead } = await onDisk(() => file.read(Buffer.allocUnsafe(length), 0, length, at))
      if (bytesRead === 0) throw new Error('the sparse file is shorter than what was written to it')
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  }

  async function* fetch(from: number, to: number, cache: boolean, signal: AbortSignal): AsyncGenerator<Buffer> {
    let at = from
    for await (const chunk of ranges.read(from, signal)) {
      const piece = chunk.subarray(0, to - at)
      if (cache) {
        await onDisk(() => writeWhole(file, piece, at))
        cached.add({ start: at, end: at + piece.length })
      }
      at += piece.length
      yield piece
      if (at === to) return
    }
  }

  /** The stretch from byte `at` to the next change between cached and uncached bytes. */
  function stretchAt(at: number): { readonly isCached: boolean; readonly to: number } {
    const span = cached.endingAfter(at)
    const isCached = span !== undefined && span.start <= at
    return { isCached, to: isCached ? span.end : (span?.start ?? ranges.bytes) }
  }

  return {
    async *read(start, { cache, signal }) {
      for (let at = start; at < ranges.bytes; ) {
        const { isCached, to } = stretchAt(at)
        yield* isCached ? readCached(at, to) : fetch(at, to, cache, signal)
        at = to
      }
    },
    fill: async (signal) => {
      for (let at = 0; at < ranges.bytes; ) {
        const { isCached, to } = stretchAt(at)
        if (!isCached) for await (const _ of fetch(at, to, true, signal));
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
