import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../core/errors.ts'
import type { SourceAccess, SourceResponse } from '../../net/send-request.ts'
import { unreachable } from '../../net/source-errors.ts'
import {
  assertNotTooLarge,
  fetchSource,
  type RangeStream,
  type RemoteFile,
  rangeStream,
  remoteFile,
  requestRange,
  requestUrl,
  strongEtag,
} from './fetch-source.ts'
import type { RangedBytes, SourceConnection, WholeBytes } from './media-source.ts'
import { meterTransfer, type TransferLimits } from './transfer-limits.ts'

type UrlAccess = SourceAccess & TransferLimits & { readonly maxBytes: number }

/** A reader that skips fewer bytes continues on the idle connection: a new request would take longer. */
const maxSkippedBytes = 1024 * 1024
const maxResumes = 3
const resumeDelayMs = 100
/**
 * A source gets `freeRequests`, and one more for each `bytesPerRequest` received. A tool that jumps between tracks reads at least
 * a buffer of 32 KiB after each jump; a server that announces ranges and sends almost nothing uses its requests up.
 */
const freeRequests = 64
const bytesPerRequest = 8 * 1024

/**
 * Asks a server for ranges. If it sends none, or none with an ETag or a Last-Modified, or if `wantsRanges` is false, the URL can
 * only be saved as a whole.
 */
export async function connectUrl(
  url: URL,
  access: UrlAccess,
  signal: AbortSignal,
  { wantsRanges = true } = {},
): Promise<SourceConnection> {
  const saveFrom = (first?: SourceResponse): WholeBytes => ({
    save: async (destination) => {
      const { etag } = await fetchSource({ ...access, url, destination, signal, ...(first ? { first } : {}) })
      return etagVersion(etag)
    },
  })
  if (!wantsRanges) return saveFrom()
  const response = await requestUrl(url, access, { range: 'bytes=0-' }, signal)
  const remote = remoteFile(url, response)
  if (remote) return assertNotTooLarge(readRanges(remote, access, rangeStream(response, 0)), access.maxBytes)
  if (response.status === 200) return saveFrom(response)
  // An empty file has no ranges, and an error may concern the range only: ask again without one.
  response.close()
  return saveFrom()
}

/** Reads a file by ranges. `first` sends it from its first byte on. */
function readRanges(remote: RemoteFile, access: UrlAccess, first: RangeStream): RangedBytes {
  const { bytes, etag } = remote
  const meter = meterTransfer(access)
  let requests = 1
  let idle: RangeStream | undefined = first
  let hasChanged = false

  async function request(at: number, signal: AbortSignal): Promise<RangeStream> {
    if (requests >= freeRequests + meter.bytes() / bytesPerRequest) {
      throw unreachable('The server of the media URL sends too little of each range. Use another server', false)
    }
    requests += 1
    const stream = await requestRange(remote, access, at, signal)
    if (stream) return stream
    hasChanged = true
    throw unreachable('The media changed while it was read. Try again', true)
  }

  /** Takes the idle stream if it is at or shortly before a byte. */
  function takeIdle(at: number): RangeStream | undefined {
    const stream = idle
    if (!stream || at < stream.at || at - stream.at > maxSkippedBytes) return undefined
    idle = undefined
    return stream
  }

  function keepIdle(stream: RangeStream): void {
    idle?.close()
    idle = stream
  }

  /** Reads to the end, and resumes a few times on a new connection after a passing failure. */
  async function* read(start: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    let at = start
    for (let resumes = 0; at < bytes; resumes++) {
      try {
        for await (const chunk of readStream(at, signal)) {
          at += chunk.length
          yield chunk
        }
        return
      } catch (error) {
        const isPassing = error instanceof ServiceError && error.code === 'media_unreachable' && error.retryable
        if (!isPassing || hasChanged || resumes === maxResumes || signal.aborted) throw error
        await delay(resumeDelayMs * 2 ** resumes, undefined, { signal })
      }
    }
  }

  /** Reads on one stream, and leaves it idle for the next reader if this one stops before the end. */
  async function* readStream(start: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    const stream = takeIdle(start) ?? (await meter.waitFor(request(start, signal)))
    const abort = () => stream.close()
    signal.addEventListener('abort', abort, { once: true })
    let isUsable = true
    try {
      yield* bytesFrom(stream, start)
    } catch (error) {
      isUsable = false
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
      if (isUsable && !signal.aborted && stream.at < bytes) keepIdle(stream)
      else stream.close()
    }
  }

  async function* bytesFrom(stream: RangeStream, start: number): AsyncGenerator<Buffer> {
    while (stream.at < bytes) {
      const next = await meter.waitFor(stream.body.next())
      if (next.done) throw unreachable('The media arrived incomplete. Try again', true)
      const skipped = Math.max(0, start - stream.at)
      meter.add(next.value.length)
      stream.at += next.value.length
      if (skipped < next.value.length) yield next.value.subarray(skipped)
    }
  }

  return {
    bytes,
    version: etagVersion(etag),
    fetchedBytes: meter.bytes,
    read,
    beginTurn: meter.beginTurn,
    close: () => idle?.close(),
  }
}

/** If the server is slower than this, the media is read instead of asking for its ETag. */
const timeouts = { connectMs: 5_000, headersMs: 5_000, idleMs: 5_000 }

/** The current strong ETag of a URL, by HEAD; undefined if the server does not send one. */
export async function readEtag(url: URL, access: SourceAccess, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await requestUrl(url, { timeouts, ...access }, {}, signal, 'HEAD')
    response.close()
    return strongEtag(response.headers)
  } catch {
    signal.throwIfAborted()
    // A problem with the URL is reported when it is read.
    return undefined
  }
}

/** The version of the bytes that have this strong ETag: a hash of the ETag. Null without an ETag. */
export function etagVersion(etag: string | undefined): string | null {
  return etag === undefined ? null : createHash('sha256').update(etag).digest('hex')
}
