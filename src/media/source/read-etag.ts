import { openUrl } from './open-url.ts'
import type { SourceAccess, SourceResponse } from './request-source.ts'

/** Whoever answers slower than this is read instead. */
const timeouts = { connectMs: 5_000, headersMs: 5_000, idleMs: 5_000 }

/** The strong ETag that a URL has now, by HEAD; undefined where there is none, or the server does not answer well. */
export async function readEtag(url: URL, access: SourceAccess, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await openUrl(url, { timeouts, ...access }, {}, signal, 'HEAD')
    response.close()
    return strongEtag(response.headers)
  } catch {
    signal.throwIfAborted()
    // What is wrong with the URL is told when it is read.
    return undefined
  }
}

/** An ETag that changes with every byte (RFC 9110, 8.8.1). */
export function strongEtag({ etag }: SourceResponse['headers']): string | undefined {
  return etag?.startsWith('"') ? etag : undefined
}
