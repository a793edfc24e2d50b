import { ObjectExistsError } from '../storage.ts'
import { GcsError } from './failures.ts'
import { type ObjectResource, objectResource } from './object-resource.ts'
import type { GcsBucket } from './open-bucket.ts'
import { retrying, send, timeLimit } from './request.ts'

export interface SessionInput {
  readonly key: string
  readonly contentType: string
  /** Fails with ObjectExistsError if the key exists. */
  readonly onlyNew: boolean
  readonly signal?: AbortSignal | undefined
}

export interface UploadChunk {
  /** The value of content-range. */
  readonly range: string
  readonly bytes: Buffer<ArrayBuffer>
  /** MD5 of the whole object in base64; sent with the last chunk. */
  readonly md5?: string | undefined
}

/** GCS's answer to a chunk: the finished object, or the number of bytes that have arrived. */
export type Answer =
  | { readonly object: ObjectResource }
  | { readonly object?: undefined; readonly arrivedBytes: number }

/** A resumable upload: its object appears complete after the last chunk, or never. */
export interface UploadSession {
  /** Sends the chunk in one request, and does not retry it. */
  put(piece: UploadChunk): Promise<Answer>
  /** Discards the bytes that have arrived. Never throws. */
  cancel(): Promise<void>
}

/** https://cloud.google.com/storage/docs/performing-resumable-uploads */
export async function openSession(gcs: GcsBucket, input: SessionInput): Promise<UploadSession> {
  const { limits } = gcs
  const url = await retrying(limits, input.signal, () => start(gcs, input))
  return {
    put: async ({ range, bytes, md5 }) => {
      const response = await send(url, {
        method: 'PUT',
        headers: {
          'content-type': input.contentType,
          'content-range': range,
          ...(md5 ? { 'x-goog-hash': `md5=${md5}` } : {}),
        },
        body: bytes,
        signal: timeLimit(limits.transferTimeoutMs, input.signal),
      })
      return readAnswer(response, input)
    },
    cancel: async () => {
      const signal = timeLimit(limits.timeoutMs, undefined)
      await send(url, { method: 'DELETE', signal })
        .then((response) => response.body?.cancel())
        .catch(() => {})
    },
  }
}

/** Returns the session's URL, which is a secret: it accepts bytes from anyone. */
async function start(gcs: GcsBucket, { key, contentType, onlyNew, signal }: SessionInput): Promise<string> {
  const query = new URLSearchParams({ uploadType: 'resumable', name: key })
  if (onlyNew) query.set('ifGenerationMatch', '0')
  const response = await send(`${gcs.apiEndpoint}/upload/storage/v1/b/${gcs.bucket.name}/o?${query}`, {
    method: 'POST',
    headers: { ...(await gcs.authorization()), 'content-type': 'application/json' },
    body: JSON.stringify({ contentType }),
    signal: timeLimit(gcs.limits.timeoutMs, signal),
  })
  await response.body?.cancel()
  assertNotTaken(response, onlyNew)
  const location = response.headers.get('location')
  if (response.ok && location) return location
  throw new GcsError(`starting the upload of ${key} was answered ${response.status}`, { status: response.status })
}

async function readAnswer(response: Response, { key, onlyNew }: SessionInput): Promise<Answer> {
  const { status, headers } = response
  if (status === 200 || status === 201) return { object: objectResource.parse(await response.json()) }
  await response.body?.cancel()
  // `bytes=0-99`; without any bytes, no header.
  if (status === 308) return { arrivedBytes: Number(headers.get('range')?.split('-')[1] ?? -1) + 1 }
  assertNotTaken(response, onlyNew)
  throw new GcsError(`the upload of ${key} was answered ${status}`, { status })
}

function assertNotTaken({ status }: Response, onlyNew: boolean): void {
  if (status === 412 && onlyNew) throw new ObjectExistsError('the key is taken')
}
