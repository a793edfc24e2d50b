import { open, rm } from 'node:fs/promises'
import { onDisk } from '../../core/disk.ts'
import { ServiceError } from '../../core/errors.ts'
import { describeExcess } from '../../core/text.ts'
import { type RequestHeaders, type SourceAccess, type SourceResponse, sendRequest } from '../../net/send-request.ts'
import { statusError, unreachable } from '../../net/source-errors.ts'
import { blocked, checkRedirect } from '../../net/target-policy.ts'
import type { RangedBytes } from './media-source.ts'
import { assertMinimumRate, assertTotalTime, type TransferLimits } from './transfer-limits.ts'

export interface FetchSourceInput extends SourceAccess, TransferLimits {
  readonly url: URL
  /** A response that is already open; it is read instead of sending a request. */
  readonly first?: SourceResponse
  /** A file to write; its folder exists. Deleted again when the download fails. */
  readonly destination: string
  readonly maxBytes: number
  readonly signal: AbortSignal
}

interface SavedSource {
  readonly bytes: number
  /** The strong ETag of the bytes, if the server sent one. */
  readonly etag: string | undefined
}

/**
 * Downloads what a caller's URL names with one request, through the guarded client. Throws `media_blocked`, `media_unreachable`,
 * `media_too_large`, `server_error` (disk) or the signal's reason. Passing failures are marked retryable: the next attempt starts over.
 */
export async function fetchSource(input: FetchSourceInput): Promise<SavedSource> {
  const response = input.first ?? (await requestUrl(input.url, input, {}, input.signal))
  try {
    const bytes = await saveBytes(input.destination, withinLimits(response, input))
    return { bytes, etag: strongEtag(response.headers) }
  } catch (error) {
    await rm(input.destination, { force: true })
    input.signal.throwIfAborted()
    throw error
  } finally {
    response.close()
  }
}

async function* withinLimits({ headers, body }: SourceResponse, input: FetchSourceInput): AsyncGenerator<Buffer> {
  const began = performance.now()
  const declared = Number(headers['content-length'] ?? 0)
  if (declared > input.maxBytes) throw tooLarge(input.maxBytes, declared)
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > input.maxBytes) throw tooLarge(input.maxBytes)
    yield chunk
    const transfer = { bytes, waitedMs: performance.now() - began }
    assertMinimumRate(transfer, input)
    assertTotalTime(transfer, input)
  }
}

/** Closes the source and throws `media_too_large` if it has more than `maxBytes`. */
export function assertNotTooLarge(ranges: RangedBytes, maxBytes: number): RangedBytes {
  if (ranges.bytes <= maxBytes) return ranges
  ranges.close()
  throw tooLarge(maxBytes, ranges.bytes)
}

function tooLarge(maxBytes: number, bytes?: number): ServiceError {
  return new ServiceError('media_too_large', `${describeExcess('The media', bytes, maxBytes)} Use a smaller file.`)
}

/**
 * Writes the bytes to a new file and returns their number. Errors of the source pass unchanged; errors of the disk become a
 * retryable `server_error`.
 */
async function saveBytes(path: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  const file = await onDisk(() => open(path, 'w'))
  try {
    let length = 0
    for await (const chunk of bytes) {
      await onDisk(() => file.writeFile(chunk))
      length += chunk.length
    }
    return length
  } finally {
    await file.close()
  }
}

/** An ETag that changes with every byte (RFC 9110, 8.8.1). */
export function strongEtag({ etag }: SourceResponse['headers']): string | undefined {
  return etag?.startsWith('"') ? etag : undefined
}

/** A file behind a URL, with the validator by which a change of the file is noticed. */
export interface RemoteFile {
  readonly url: URL
  readonly bytes: number
  /** The strong ETag of the bytes, if the server sends one. */
  readonly etag: string | undefined
  /** Sent as `If-Range`: the strong ETag, or the time of the last change. */
  readonly validator: string
}

/** An open response that sends the rest of the file. */
export interface RangeStream {
  readonly body: AsyncIterator<Buffer>
  readonly close: () => void
  /** Position of the next byte. */
  at: number
}

/** The file that `response` sends from its first byte on. Undefined if the response is not a range, or has no validator. */
export function remoteFile(url: URL, response: SourceResponse): RemoteFile | undefined {
  const bytes = totalBytes(response, 0)
  const etag = strongEtag(response.headers)
  const validator = etag ?? response.headers['last-modified']
  return bytes === undefined || validator === undefined ? undefined : { url, bytes, etag, validator }
}

/** Requests the file from a byte on; undefined if the server no longer sends the same file. */
export async function requestRange(
  { url, bytes, etag, validator }: RemoteFile,
  access: SourceAccess,
  at: number,
  signal: AbortSignal,
): Promise<RangeStream | undefined> {
  // Aborts only while it opens: the next reader may take over the connection.
  const opening = new AbortController()
  const abort = () => opening.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const headers = { range: `bytes=${at}-`, 'if-range': validator }
  const response = await requestUrl(url, access, headers, opening.signal).finally(() =>
    signal.removeEventListener('abort', abort),
  )
  const named = etag === undefined ? response.headers['last-modified'] : strongEtag(response.headers)
  const isSame = (named ?? validator) === validator
  if (isSame && totalBytes(response, at) === bytes) return rangeStream(response, at)
  response.close()
  return undefined
}

export function rangeStream({ body, close }: SourceResponse, at: number): RangeStream {
  return { body: body[Symbol.asyncIterator](), close, at }
}

/** Length of the whole file, if the response is all of it from `start` on. */
function totalBytes({ status, headers }: SourceResponse, start: number): number | undefined {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  const isRest = status === 206 && Number(first) === start && Number(last) === Number(total) - 1
  return isRest ? Number(total) : undefined
}

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Requests a URL, and checks each redirect like the first address. Returns status 200 or, for a range, also 206 or 416. */
export async function requestUrl(
  url: URL,
  access: SourceAccess,
  headers: RequestHeaders,
  signal: AbortSignal,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<SourceResponse> {
  let target = url
  for (let followed = 0; followed <= maxRedirects; followed++) {
    const response = await sendRequest(target, access, headers, signal, { method })
    if (!redirects.has(response.status)) return checked(response, 'range' in headers)
    response.close()
    const next = redirectTarget(response)
    checkRedirect(target, next, access.allowHosts)
    target = next
  }
  throw unreachable('The media URL redirects too often. Use the final URL', false)
}

function redirectTarget({ url, status, headers: { location } }: SourceResponse): URL {
  if (!location || !URL.canParse(location, url.href)) throw statusError(status)
  const next = new URL(location, url)
  if (next.href.length > 8192) throw blocked('redirect to an overlong URL')
  return next
}

function checked(response: SourceResponse, isRange: boolean): SourceResponse {
  try {
    const isExpected = response.status === 200 || (isRange && [206, 416].includes(response.status))
    if (!isExpected) throw statusError(response.status)
    const encoding = response.headers['content-encoding']
    if (encoding && encoding.toLowerCase() !== 'identity') {
      throw unreachable('The media URL served compressed content. Use a URL that serves the file uncompressed', false)
    }
    return response
  } catch (error) {
    response.close()
    throw error
  }
}
