import type { MediaSource, RangedBytes } from './media-source.ts'
import type { SourceServer } from './source-server.ts'
import { openSparseFile } from './sparse-file.ts'
import { createWaitClock } from './wait-clock.ts'

/** Media that is fetched while it is read. */
export interface FetchedMedia extends MediaSource {
  /** Aborts with the error of the first read that failed: open it anew. */
  readonly failed: AbortSignal
  /** Of the bytes from `start` on, without keeping them. */
  read(start: number, signal: AbortSignal): AsyncIterable<Buffer>
  close(): Promise<void>
}

/** Serves bytes that can be read from any place to the tools; `path` is a file to keep parts of them in. */
export async function fetchedMedia(origin: RangedBytes, path: string, server: SourceServer): Promise<FetchedMedia> {
  const { bytes } = origin
  const file = await openSparseFile(path, origin)
  const clock = createWaitClock()
  const failure = new AbortController()
  const closing = new AbortController()
  const serve = (keep: boolean) =>
    server.serve({
      bytes,
      read: (start) => clock.through(file.read(start, keep, closing.signal)),
      onError: (error) => failure.abort(error),
    })
  const urls = { kept: serve(true), passing: serve(false) }
  return {
    bytes,
    failed: failure.signal,
    fetchedBytes: origin.fetchedBytes,
    input: (format, fetched = 'kept') => ({
      path: urls[fetched].url,
      format,
      served: { failed: failure.signal, waitedMs: clock.waitedMs },
    }),
    readAt: async (position, length, signal) => {
      const chunks: Buffer[] = []
      let left = length
      for await (const chunk of file.read(position, true, signal)) {
        chunks.push(chunk.subarray(0, left))
        left -= chunk.length
        if (left <= 0) break
      }
      return Buffer.concat(chunks)
    },
    read: (start, signal) => file.read(start, false, signal),
    close: async () => {
      urls.kept.end()
      urls.passing.end()
      closing.abort()
      origin.close()
      await file.close()
    },
  }
}
