import { fetchSource, type SavedSource, tooLarge } from './fetch-source.ts'
import { type HttpRanges, httpRanges } from './http-ranges.ts'
import type { RangedBytes } from './media-source.ts'
import { openUrl } from './open-url.ts'
import type { SourceAccess, SourceResponse } from './request-source.ts'

/** How the bytes behind a URL can be read: by ranges, or only as a whole. */
export type UrlConnection =
  | { readonly ranges: HttpRanges }
  /** Downloads the whole into a new file. */
  | { readonly save: (destination: string) => Promise<SavedSource> }

/** Asks a server for ranges. Where it sends none that can be trusted, or they are not wanted, the URL can only be saved. */
export async function connectUrl(
  url: URL,
  access: SourceAccess & { readonly maxBytes: number },
  signal: AbortSignal,
  { wantsRanges = true } = {},
): Promise<UrlConnection> {
  const saveFrom = (first?: SourceResponse): UrlConnection => ({
    save: (destination) => fetchSource({ ...access, url, destination, signal, ...(first ? { first } : {}) }),
  })
  if (!wantsRanges) return saveFrom()
  const response = await openUrl(url, access, { range: 'bytes=0-' }, signal)
  const ranges = httpRanges(url, access, response)
  if (ranges) return { ranges: assertNotTooLarge(ranges, access.maxBytes) }
  if (response.status === 200) return saveFrom(response)
  // An empty file has no ranges, and an error may concern the range only: ask again without one.
  response.close()
  return saveFrom()
}

/** Closes the source and throws `media_too_large` if it has more than `maxBytes`. */
export function assertNotTooLarge<Ranges extends RangedBytes>(ranges: Ranges, maxBytes: number): Ranges {
  if (ranges.bytes <= maxBytes) return ranges
  ranges.close()
  throw tooLarge(maxBytes)
}
