import { ServiceError } from '../../core/errors.ts'
import { ObjectNotFoundError } from '../storage.ts'
import { GcsError, within } from './failures.ts'
import type { GcsBucket } from './open-bucket.ts'
import { send } from './request.ts'

export interface DownloadInput {
  readonly generation?: string | undefined
  /** First byte. */
  readonly start: number
  /** Last byte, inclusive. */
  readonly end?: number | undefined
  /** Closes the download. */
  readonly signal: AbortSignal
}

/** One response with bytes. */
export interface Download {
  readonly generation: string | undefined
  /** Undefined at the end. */
  next(): Promise<Uint8Array | undefined>
  close(): void
}

/** Resolves when the first bytes can be read. Throws ObjectNotFoundError, also for another generation. */
export async function openDownload(gcs: GcsBucket, key: string, input: DownloadInput): Promise<Download> {
  const { start, end, signal } = input
  const connection = new AbortController()
  const query = new URLSearchParams({ alt: 'media' })
  if (input.generation !== undefined) query.set('generation', input.generation)
  const url = `${gcs.apiEndpoint}/storage/v1/b/${gcs.bucket.name}/o/${encodeURIComponent(key)}?${query}`
  const isPart = start > 0 || end !== undefined
  // Requests the stored bytes: GCS would unpack objects that were uploaded with a content-encoding, to any size.
  const headers: Record<string, string> = { ...(await gcs.authorization()), 'accept-encoding': 'gzip' }
  if (isPart) headers['range'] = `bytes=${start}-${end ?? ''}`

  const sent = send(url, { headers, signal: AbortSignal.any([connection.signal, signal]) })
  try {
    const response = await within(gcs.limits.timeoutMs, sent)
    const body = bodyOf(response, key, isPart)
    const reader = body?.getReader()
    return {
      generation: response.headers.get('x-goog-generation') ?? input.generation,
      next: async () => (await reader?.read())?.value,
      close: () => connection.abort(),
    }
  } catch (error) {
    connection.abort()
    throw error
  }
}

function bodyOf({ status, headers, body }: Response, key: string, isPart: boolean): ReadableStream<Uint8Array> | null {
  if (status === 404) throw new ObjectNotFoundError('no such object')
  // 416: the start is past the end.
  if (status === 416) return null
  if (status !== (isPart ? 206 : 200)) throw new GcsError(`reading ${key} was answered ${status}`, { status })
  if (headers.has('content-encoding')) {
    throw new ServiceError('unsupported_file_type', 'The upload has a content-encoding. Upload the bytes as they are.')
  }
  return body
}
