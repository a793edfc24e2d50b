import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../core/errors.ts'
import type { RangedBytes } from './media-source.ts'
import { etagVersion } from './read-etag.ts'
import { type RangeStream, type RemoteFile, rangeStream, remoteFile, requestRange } from './request-url.ts'
import type { SourceAccess, SourceResponse } from './send-request.ts'
import { unreachable } from './source-errors.ts'
import { assertMinimumRate, assertTotalTime, type TransferLimits } from './transfer-limits.ts'

type RangesAccess = SourceAccess & TransferLimits

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
 * The bytes behind a URL whose server sends ranges and an ETag or a Last-Modified; undefined for other servers. `first` is the response to `Range: bytes=0-`.
 */
export function httpRanges(url: URL, access: RangesAccess, first: SourceResponse): RangedBytes | undefined {
  const remote = remoteFile(url, first)
  return remote && readRanges(remote, access, rangeStream(first, 0))
}

function readRanges(remote: RemoteFile, access: RangesAccess, first: RangeStream): RangedBytes {
  const { bytes, etag } = remote
  const arrived = { bytes: 0, waitedMs: 0 }
  /** What arrived since the source last got a slot. */
  let turn = { bytes: 0, waitedMs: 0 }
  let requests = 1
  let idle: RangeStream | undefined = first
  let hasChanged = false

  async function request(at: number, signal: AbortSignal): Promise<RangeStream> {
    if (requests >= freeRequests + arrived.bytes / bytesPerRequest) throw tooManyRequests()
    requests += 1
    const stream = await requestRange(remote, access, at, signal)
    if (stream) return stream
    hasChanged = true
    throw changed()
  }

  async function waitFor<T>(step: Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await step
    } finally {
      const waitedMs = performance.now() - began
      arrived.waitedMs += waitedMs
      turn.waitedMs += waitedMs
      assertTotalTime(arrived, access)
      assertMinimumRate(turn, access)
    }
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
    const stream = takeIdle(start) ?? (await waitFor(request(start, signal)))
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
      const next = await waitFor(stream.body.next())
      if (next.done) throw cutShort()
      const skipped = Math.max(0, start - stream.at)
      arrived.bytes += next.value.length
      turn.bytes += next.value.length
      stream.at += next.value.length
      if (skipped < next.value.length) yield next.value.subarray(skipped)
    }
  }

  return {
    bytes,
    version: etagVersion(etag),
    fetchedBytes: () => arrived.bytes,
    read,
    beginTurn: () => {
      turn = { bytes: 0, waitedMs: 0 }
    },
    close: () => idle?.close(),
  }
}

function changed(): ServiceError {
  return unreachable('The media changed while it was read. Try again', true)
}

function tooManyRequests(): ServiceError {
  return unreachable('The server of the media URL sends too little of each range. Use another server', false)
}

function cutShort(): ServiceError {
  return unreachable('The media arrived incomplete. Try again', true)
}
