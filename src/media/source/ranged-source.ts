import { rm } from 'node:fs/promises'
import type { MediaSource, RangedBytes } from './media-source.ts'
import type { SourceServer } from './source-server.ts'
import { openSparseFile } from './sparse-file.ts'
import { createWaitClock } from './wait-clock.ts'

/** Media that is fetched while it is read. */
export interface RangedSource extends MediaSource {
  /** The file that caches the parts that were read. */
  readonly path: string
  /** Aborts with the error of the first read that failed; the media must then be opened again. */
  readonly failed: AbortSignal
  /** Fetches what is not in the file yet, so that the file is the whole media. */
  complete(signal: AbortSignal): Promise<void>
  /** Makes it readable again after a failure, from the bytes in the file on, and caches all that follow. */
  resume(): void
  /** Also deletes the file. */
  close(): Promise<void>
}

/** Serves ranged bytes to the tools over the loopback, and caches in a file at `path` the parts that were read. */
export async function rangedSource(ranges: RangedBytes, path: string, server: SourceServer): Promise<RangedSource> {
  const { bytes, version } = ranges
  const file = await openSparseFile(path, ranges)
  const clock = createWaitClock()
  let failure = new AbortController()
  let cachesAll = false
  const closing = new AbortController()
  const serve = (cache: boolean) =>
    server.serve({
      bytes,
      read: (start) => clock.measure(file.read(start, { cache: cache || cachesAll, signal: closing.signal })),
      onError: (error) => failure.abort(error),
    })
  const [cached, uncached] = [serve(true), serve(false)]
  return {
    ...{ bytes, version, path },
    get failed() {
      return failure.signal
    },
    fetchedBytes: ranges.fetchedBytes,
    input: (format, { cache = true } = {}) => ({
      path: (cache ? cached : uncached).url,
      format,
      served: { failed: failure.signal, waitedMs: clock.waitedMs },
    }),
    readAt: async (position, length, signal) => {
      const chunks: Buffer[] = []
      let left = length
      for await (const chunk of file.read(position, { cache: true, signal })) {
        chunks.push(chunk.subarray(0, left))
        left -= chunk.length
        if (left <= 0) break
      }
      return Buffer.concat(chunks)
    },
    complete: (signal) => file.fill(signal),
    resume: () => {
      failure = new AbortController()
      cachesAll = true
      ranges.beginTurn()
    },
    close: async () => {
      cached.end()
      uncached.end()
      closing.abort()
      ranges.close()
      await file.close()
      await rm(path, { force: true })
    },
  }
}
