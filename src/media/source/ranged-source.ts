import { rm } from 'node:fs/promises'
import { createKeyedQueue } from '../../core/concurrency.ts'
import type { MediaSource, RangedBytes } from './media-source.ts'
import { openSourceServer, type SourceServer } from './source-server.ts'
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
  /** Returns the bytes fetched since the last call, which the job's row then counts. */
  takeFetchedBytes(): number
  /** Makes the source readable again after a failure. The bytes in the file stay, and all further bytes are cached. */
  resume(): void
  /** Also deletes the file. */
  close(): Promise<void>
}

/** Serves ranged bytes to the tools over the loopback, and caches in a file at `path` the parts that were read. */
export async function rangedSource(ranges: RangedBytes, path: string, server: SourceServer): Promise<RangedSource> {
  const { bytes, version } = ranges
  const sparseFile = await openSparseFile(path, ranges)
  const clock = createWaitClock()
  let failure = new AbortController()
  let cachesAll = false
  let takenBytes = 0
  const closing = new AbortController()
  const serve = (cache: boolean) =>
    server.serve({
      bytes,
      read: (start) => clock.measure(sparseFile.read(start, { cache: cache || cachesAll, signal: closing.signal })),
      onError: (error) => failure.abort(error),
    })
  const [cached, uncached] = [serve(true), serve(false)]
  return {
    ...{ bytes, version, path },
    get failed() {
      return failure.signal
    },
    fetchedBytes: () => ranges.fetchedBytes() - takenBytes,
    takeFetchedBytes: () => {
      const bytes = ranges.fetchedBytes() - takenBytes
      takenBytes += bytes
      return bytes
    },
    input: (format, { cache = true } = {}) => ({
      path: (cache ? cached : uncached).loopbackUrl,
      format,
      served: { failed: failure.signal, waitedMs: clock.waitedMs },
    }),
    readAt: async (position, length, signal) => {
      const chunks: Buffer[] = []
      let left = length
      for await (const chunk of sparseFile.read(position, { cache: true, signal })) {
        chunks.push(chunk.subarray(0, left))
        left -= chunk.length
        if (left <= 0) break
      }
      return Buffer.concat(chunks)
    },
    complete: (signal) => sparseFile.fill(signal),
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
      await sparseFile.close()
      await rm(path, { force: true })
    },
  }
}

/** The ranged sources that this worker has open, each from one activity of its job to the next. */
export interface RangedSources {
  find(jobId: string): RangedSource | undefined
  /** Runs what opens a job's source in turn: several parts of the job may begin simultaneously. */
  inTurn<T>(jobId: string, open: () => Promise<T>): Promise<T>
  /** Prepares a slow source for another turn. Returns false if none is open, or if its bytes have no version. */
  resume(jobId: string): boolean
  /** Replaces the job's open source. `path` names the file for the parts that are read. */
  open(jobId: string, ranges: RangedBytes, path: string): Promise<RangedSource>
  close(jobId: string): Promise<void>
  /** Closes all. */
  end(): Promise<void>
}

export function createRangedSources(): RangedSources {
  // Started lazily: a worker that streams nothing opens no port.
  let server: Promise<SourceServer> | undefined
  const open = new Map<string, RangedSource>()
  const close = async (jobId: string) => {
    const source = open.get(jobId)
    open.delete(jobId)
    await source?.close()
  }
  return {
    find: (jobId) => {
      const source = open.get(jobId)
      return source?.failed.aborted ? undefined : source
    },
    inTurn: createKeyedQueue(),
    resume: (jobId) => {
      const source = open.get(jobId)
      if (!source || source.version === null) return false
      source.resume()
      return true
    },
    open: async (jobId, ranges, path) => {
      server ??= openSourceServer()
      const source = await rangedSource(ranges, path, await server)
      await close(jobId)
      open.set(jobId, source)
      return source
    },
    close,
    end: async () => {
      await Promise.all([...open.keys()].map(close))
      await (await server)?.close()
    },
  }
}
