import { fetchSource, tooLarge } from './fetch-source.ts'
import { httpRanges } from './http-ranges.ts'
import type { RangedBytes, SourceVersion } from './media-source.ts'
import { etagVersion } from './read-etag.ts'
import { requestUrl } from './request-url.ts'
import type { SourceAccess, SourceResponse } from './send-request.ts'

/** Media that is not on this machine, and that can be read from any position or only be saved as a whole. */
export type SourceConnection = RangedBytes | WholeBytes

export interface WholeBytes {
  /** Downloads them into a new file. */
  save(destination: string): Promise<SourceVersion>
}

/** Asks a server for ranges. If it sends none that can be trusted, or if `wantsRanges` is false, the URL can only be saved as a whole. */
export async function connectUrl(
  url: URL,
  access: SourceAccess & { readonly maxBytes: number },
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
  const ranges = httpRanges(url, access, response)
  if (ranges) return assertNotTooLarge(ranges, access.maxBytes)
  if (response.status === 200) return saveFrom(response)
  // An empty file has no ranges, and an error may concern the range only: ask again without one.
  response.close()
  return saveFrom()
}

/** Closes the source and throws `media_too_large` if it has more than `maxBytes`. */
export function assertNotTooLarge(ranges: RangedBytes, maxBytes: number): RangedBytes {
  if (ranges.bytes <= maxBytes) return ranges
  ranges.close()
  throw tooLarge(maxBytes, ranges.bytes)
}
