import { open, stat } from 'node:fs/promises'
import type { FfmpegInput } from '../../core/ffmpeg.ts'
import type { MediaFormat, MediaInfo } from '../../core/media.ts'

/**
 * Which bytes a source has: the generation of our object, or a hash of the URL's strong ETag. Null if a change of the bytes
 * cannot be noticed.
 */
export type SourceVersion = string | null

/** Media that can be read: a file on this machine, or bytes that are fetched while they are read. */
export interface MediaSource {
  readonly bytes: number
  readonly version: SourceVersion
  /** Returns fewer bytes only at the end. */
  readAt(position: number, length: number, signal: AbortSignal): Promise<Buffer>
  /** Input for the tools. Fetched bytes are cached on the disk for other readers, unless `cache` is false. */
  input(format: MediaFormat, options?: { readonly cache?: boolean }): FfmpegInput
  /** Bytes fetched so far, without those that `takeFetchedBytes` returned; null for a file on this machine. */
  fetchedBytes(): number | null
}

/** Bytes that can be read from any position: a server's file, or an object in storage. */
export interface RangedBytes {
  readonly bytes: number
  readonly version: SourceVersion
  /** Reads to the end. A reader that stops or aborts ends the transfer. */
  read(start: number, signal: AbortSignal): AsyncIterable<Buffer>
  /** Bytes that have arrived so far. */
  fetchedBytes(): number
  /** Restarts the measurement of the rate, because a slow source got another turn. */
  beginTurn(): void
  /** Closes the connection that waits for the next reader. */
  close(): void
}

/** Media that is not on this machine: it can be read from any position, or only be saved as a whole. */
export type SourceConnection = RangedBytes | WholeBytes

export interface WholeBytes {
  /** Downloads them into a new file. */
  save(destination: string): Promise<SourceVersion>
}

/** The media of a job: its description, and its source, which is opened when something has to be read. */
export interface JobMedia {
  readonly info: MediaInfo
  readonly open: () => Promise<MediaSource>
}

export async function fileSource(path: string, version: SourceVersion = null): Promise<MediaSource> {
  const { size } = await stat(path)
  return {
    bytes: size,
    version,
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
