import { rm } from 'node:fs/promises'
import { ServiceError } from '../../core/errors.ts'
import { describeExcess } from '../../core/text.ts'
import type { RangedBytes } from './media-source.ts'
import { strongEtag } from './remote-file.ts'
import { requestUrl } from './request-url.ts'
import { saveBytes } from './save-bytes.ts'
import type { SourceAccess, SourceResponse } from './send-request.ts'
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

export interface SavedSource {
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
