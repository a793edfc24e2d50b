import { requestUrl } from './request-url.ts'
import type { SourceAccess, SourceResponse } from './send-request.ts'

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
