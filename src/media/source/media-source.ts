import { open, stat } from 'node:fs/promises'
import type { FfmpegInput } from '../../core/ffmpeg.ts'
import type { MediaFormat } from '../../core/media.ts'

/** Media where it lies: a file of this machine, or bytes that are fetched while they are read. */
export interface MediaSource {
  readonly bytes: number
  /** Fewer bytes only at the end. */
  readAt(position: number, length: number, signal: AbortSignal): Promise<Buffer>
  /** How the tools open it. What is fetched for them stays on the disk for others to read, unless it is only `passing`. */
  input(format: MediaFormat, fetched?: 'kept' | 'passing'): FfmpegInput
  /** How many bytes were fetched; null where they lie on a disk. */
  fetchedBytes(): number | null
}

export async function fileSource(path: string): Promise<MediaSource> {
  const { size } = await stat(path)
  return {
    bytes: size,
    readAt: async (position, length) => {
      const file = await open(path)
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    input: (format) => ({ path, format }),
    fetchedBytes: () => null,
  }
}

/** Bytes that can be read from any place on: a server's file, or an object. */
export interface RangedBytes {
  readonly bytes: number
  /** To the end. Who stops reading, or aborts, ends the transfer. */
  read(start: number, signal: AbortSignal): AsyncIterable<Buffer>
  /** How many bytes have arrived so far. */
  fetchedBytes(): number
  /** Ends what waits for the next reader. */
  close(): void
}
