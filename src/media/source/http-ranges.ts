import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../core/errors.ts'
import type { RangedBytes } from './media-source.ts'
import { openUrl } from './open-url.ts'
import { strongEtag } from './read-etag.ts'
import type { SourceAccess, SourceResponse } from './request-source.ts'
import { unreachable } from './source-errors.ts'
import { assertMinimumRate, type TransferLimits } from './transfer-limits.ts'

export interface HttpRanges extends RangedBytes {
  /** The strong ETag of the bytes, where the server sends one. */
  readonly etag: string | undefined
}

type RangesAccess = SourceAccess & TransferLimits

interface Connection {
  readonly body: AsyncIterator<Buffer>
  readonly close: () => void
  /** Of the next byte. */
  at: number
}

/** A reader that skips less than this reads on where the last one stopped: a request of its own would take longer. */
const maxSkippedBytes = 1024 * 1024
const maxResumes = 3
const resumeDelayMs = 100

/**
 * The bytes behind a URL whose server sends ranges of a file that it can tell from a changed one; undefined for other
 * answers. `first` answered to `Range: bytes=0-`.
 */
export function httpRanges(url: URL, access: RangesAccess, first: SourceResponse): HttpRanges | undefined {
  const bytes = totalOf(first, 0)
  const etag = strongEtag(first.headers)
  const validator = etag ?? first.headers['last-modified']
  if (bytes === undefined || validator === undefined) return undefined
  return createRanges(url, access, { bytes, etag, validator }, connectionOf(first, 0))
}

function createRanges(
  url: URL,
  access: RangesAccess,
  { bytes, etag, validator }: { readonly bytes: number; readonly etag: string | undefined; readonly validator: string },
  first: Connection,
): HttpRanges {
  const arrived = { bytes: 0, waitedMs: 0 }
  let idle: Connection | undefined = first
  let hasChanged = false

  async function connect(at: number, signal: AbortSignal): Promise<Connection> {
    const headers = { range: `bytes=${at}-`, 'if-range': validator }
    // Only while it opens: the next reader may go on with the connection.
    const opening = new AbortController()
    const abort = () => opening.abort(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    const response = await openUrl(url, access, headers, opening.signal).finally(() =>
      signal.removeEventListener('abort', abort),
    )
    const named = etag === undefined ? response.headers['last-modified'] : strongEtag(response.headers)
    const isSame = (named ?? validator) === validator
    if (isSame && totalOf(response, at) === bytes) return connectionOf(response, at)
    response.close()
    hasChanged = true
    throw changed()
  }

  async function waitFor<T>(step: Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await step
    } finally {
      arrived.waitedMs += performance.now() - began
      assertMinimumRate(arrived.bytes, arrived.waitedMs, access)
    }
  }

  /** The connection that is there, past what lies between; undefined where it leads elsewhere. */
  function takeIdle(at: number): Connection | undefined {
    const connection = idle
    if (!connection || at < connection.at || at - connection.at > maxSkippedBytes) return undefined
    idle = undefined
    return connection
  }

  function keepIdle(connection: Connection): void {
    idle?.close()
    idle = connection
  }

  async function* read(start: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    let at = start
    for (let resumes = 0; at < bytes; resumes++) {
      try {
        for await (const chunk of transfer(at, signal)) {
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

  async function* transfer(start: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    const connection = takeIdle(start) ?? (await waitFor(connect(start, signal)))
    const abort = () => connection.close()
    signal.addEventListener('abort', abort, { once: true })
    let isUsable = true
    try {
      yield* bytesFrom(connection, start)
    } catch (error) {
      isUsable = false
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
      if (isUsable && !signal.aborted && connection.at < bytes) keepIdle(connection)
      else connection.close()
    }
  }

  async function* bytesFrom(connection: Connection, start: number): AsyncGenerator<Buffer> {
    while (connection.at < bytes) {
      const next = await waitFor(connection.body.next())
      if (next.done) throw cutShort()
      const skipped = Math.max(0, start - connection.at)
      arrived.bytes += next.value.length
      connection.at += next.value.length
      if (skipped < next.value.length) yield next.value.subarray(skipped)
    }
  }

  return { bytes, etag, fetchedBytes: () => arrived.bytes, read, close: () => idle?.close() }
}

/** The length of the whole, where an answer is the rest of it from `start` on. */
function totalOf({ status, headers }: SourceResponse, start: number): number | undefined {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  const isRest = status === 206 && Number(first) === start && Number(last) === Number(total) - 1
  return isRest ? Number(total) : undefined
}

function connectionOf({ body, close }: SourceResponse, at: number): Connection {
  return { body: body[Symbol.asyncIterator](), close, at }
}

function changed(): ServiceError {
  return unreachable('The media changed while it was read. Try again', true)
}

function cutShort(): ServiceError {
  return unreachable('The media arrived in part. Try again', true)
}
