import { openUrl } from './open-url.ts'
import { strongEtag } from './read-etag.ts'
import type { SourceAccess, SourceResponse } from './request-source.ts'

/** A file behind a URL, named so that a changed one is noticed. */
export interface RangedFile {
  readonly url: URL
  readonly bytes: number
  /** The strong ETag of the bytes, if the server sends one. */
  readonly etag: string | undefined
  /** Sent as `If-Range`: the strong ETag, or the time of the last change. */
  readonly validator: string
}

/** An open response that sends the rest of the file. */
export interface RangeConnection {
  readonly body: AsyncIterator<Buffer>
  readonly close: () => void
  /** Position of the next byte. */
  at: number
}

/** The file that `response` sends from its first byte; undefined if it is not a range, or cannot be told from a changed file. */
export function rangedFile(url: URL, response: SourceResponse): RangedFile | undefined {
  const bytes = totalBytes(response, 0)
  const etag = strongEtag(response.headers)
  const validator = etag ?? response.headers['last-modified']
  return bytes === undefined || validator === undefined ? undefined : { url, bytes, etag, validator }
}

/** Requests the file from a byte on; undefined if the server no longer sends the same file. */
export async function openRange(
  { url, bytes, etag, validator }: RangedFile,
  access: SourceAccess,
  at: number,
  signal: AbortSignal,
): Promise<RangeConnection | undefined> {
  // Aborts only while it opens: the next reader may take over the connection.
  const opening = new AbortController()
  const abort = () => opening.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const headers = { range: `bytes=${at}-`, 'if-range': validator }
  const response = await openUrl(url, access, headers, opening.signal).finally(() =>
    signal.removeEventListener('abort', abort),
  )
  const named = etag === undefined ? response.headers['last-modified'] : strongEtag(response.headers)
  const isSame = (named ?? validator) === validator
  if (isSame && totalBytes(response, at) === bytes) return rangeConnection(response, at)
  response.close()
  return undefined
}

export function rangeConnection({ body, close }: SourceResponse, at: number): RangeConnection {
  return { body: body[Symbol.asyncIterator](), close, at }
}

/** Length of the whole file, if the response is all of it from `start` on. */
function totalBytes({ status, headers }: SourceResponse, start: number): number | undefined {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  const isRest = status === 206 && Number(first) === start && Number(last) === Number(total) - 1
  return isRest ? Number(total) : undefined
}
