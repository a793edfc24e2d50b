import { type FileHandle, open, rm } from 'node:fs/promises'
import { createKeyedQueue } from '../../core/concurrency.ts'
import { onDisk } from '../../core/disk.ts'
import type { ServedInput } from '../../core/ffmpeg.ts'
import { lowerBound } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import type { MediaSource, RangedBytes } from './media-source.ts'
import { openSourceServer, type SourceServer } from './source-server.ts'
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

interface SourceOptions extends Pick<ServedInput, 'claimKeys'> {
  /** Names the file for the parts that are read. */
  readonly path: string
}

/** Serves ranged bytes to the tools over the loopback, and caches in a file the parts that were read. */
export async function rangedSource(
  ranges: RangedBytes,
  { path, claimKeys }: SourceOptions,
  server: SourceServer,
): Promise<RangedSource> {
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
      served: { failed: failure.signal, waitedMs: clock.waitedMs, claimKeys },
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
  /** Replaces the job's open source. */
  open(jobId: string, ranges: RangedBytes, options: SourceOptions): Promise<RangedSource>
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
    open: async (jobId, ranges, options) => {
      server ??= openSourceServer()
      const source = await rangedSource(ranges, options, await server)
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

/** Sorted, separate spans of bytes. Binary search, since a crafted file can cause hundreds of thousands. */
interface ByteSpans {
  /** The first span that ends after a byte. */
  endingAfter(at: number): Segment | undefined
  /** Adds a span, and merges it with those that it touches. */
  add(span: Segment): void
}

export function createByteSpans(): ByteSpans {
  const spans: Segment[] = []

  /** Index of the first span that ends at or after a byte. */
  const indexFrom = (at: number) => lowerBound(spans, ({ end }) => end < at)

  return {
    endingAfter: (at) => spans[indexFrom(at + 1)],
    add: (span) => {
      const first = indexFrom(span.start)
      let { start, end } = span
      let next = first
      for (let touched = spans[next]; touched && touched.start <= end; touched = spans[++next]) {
        start = Math.min(start, touched.start)
        end = Math.max(end, touched.end)
      }
      spans.splice(first, next - first, { start, end })
    },
  }
}

interface SparseFile {
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
