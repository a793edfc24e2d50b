import { fetchSource, tooLarge } from './fetch-source.ts'
import { httpRanges } from './http-ranges.ts'
import type { RangedBytes } from './media-source.ts'
import { openUrl } from './open-url.ts'
import { etagVersion } from './read-etag.ts'
import type { SourceAccess, SourceResponse } from './request-source.ts'

/** How media that is not on this machine can be read, with the version of its bytes; null if they have none. */
export type SourceConnection =
  | { readonly ranges: RangedBytes; readonly version: string | null }
  /** Only as a whole: downloads it into a new file, and returns the version. */
  | { readonly save: (destination: string) => Promise<string | null> }

/** Asks a server for ranges. Where it sends none that can be trusted, or they are not wanted, the URL can only be saved. */
export async function connectUrl(
  url: URL,
  access: SourceAccess & { readonly maxBytes: number },
  signal: AbortSignal,
  { wantsRanges = true } = {},
): Promise<SourceConnection> {
  const saveFrom = (first?: SourceResponse): SourceConnection => ({
    save: async (destination) => {
      const { etag } = await fetchSource({ ...access, url, destination, signal, ...(first ? { first } : {}) })
      return etagVersion(etag)
    },
  })
  if (!wantsRanges) return saveFrom()
  const response = await openUrl(url, access, { range: 'bytes=0-' }, signal)
  const ranges = httpRanges(url, access, response)
  if (ranges) return { ranges: assertNotTooLarge(ranges, access.maxBytes), version: etagVersion(ranges.etag) }
  if (response.status === 200) return saveFrom(response)
  // An empty file has no ranges, and an error may concern the range only: ask again without one.
  response.close()
  return saveFrom()
}

/** Closes the source and throws `media_too_large` if it has more than `maxBytes`. */
export function assertNotTooLarge(ranges: RangedBytes, maxBytes: number): RangedBytes {
  if (ranges.bytes <= maxBytes) return ranges
  ranges.close()
  throw tooLarge(maxBytes)
}
