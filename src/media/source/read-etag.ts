import { createHash } from 'node:crypto'
import { strongEtag } from './remote-file.ts'
import { requestUrl } from './request-url.ts'
import type { SourceAccess } from './send-request.ts'

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
