import { ConnectionError, MediaTimelineError } from './errors.ts'
import { type Http, type RequestOptions, retrying } from './http.ts'
import { type List, list } from './lists.ts'
import type { Schemas, Upload } from './types.ts'

export interface UploadOptions extends Pick<RequestOptions, 'signal'> {
  /** The name of the file, for a `Blob` that has none. */
  readonly name?: string
  readonly contentType?: string
  /** Called with the bytes that the service has, and the size of the file. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void
}

/** Parts are a multiple of 256 KiB, as Google Cloud Storage wants them. */
const partBytes = 8 * 2 ** 20
/** A slow line has this long for a part. */
const partSeconds = 600
/** Attempts of a part: more than 40 seconds, for which a service that restarts can take the part that it received for open. */
const retries = 10

export type Uploads = ReturnType<typeof createUploads>

/** Files that jobs read. */
export function createUploads(http: Http) {
  const get = async (id: string, options: RequestOptions = {}): Promise<Upload> =>
    (await http.json<Schemas['ReadUploadEnvelope']>({ ...options, method: 'GET', path: `/v1/uploads/${id}` })).upload

  return {
    get,
    /**
     * Uploads a file: its path, or a `Blob`. It is sent in parts, and goes on where it was when a connection breaks or the service
     * restarts. Jobs read its `media_url`.
     */
    upload: async (
      file: string | Blob,
      { name, contentType, onProgress, signal }: UploadOptions = {},
    ): Promise<Upload> => {
      const blob = typeof file === 'string' ? await (await import('node:fs')).openAsBlob(file) : file
      const body = {
        ...{ filename: name ?? nameOf(file), bytes: blob.size, resumable: true },
        ...(contentType && { content_type: contentType }),
      }
      const options = signal ? { signal } : {}
      const { upload } = await http.json<Schemas['UploadEnvelope']>({
        ...options,
        ...{ method: 'POST', path: '/v1/uploads/presign', body },
      })
      await sendParts(http, upload, blob, { ...options, ...(onProgress && { onProgress }) })
      return await get(upload.id, options)
    },
    /** The newest first. */
    list: (options: RequestOptions = {}): List<Upload> =>
      list(http, 'uploads', { path: '/v1/uploads', query: {}, ...options }),
    delete: (id: string, options: RequestOptions = {}) =>
      http.json<Schemas['Deletion']>({ ...options, method: 'DELETE', path: `/v1/uploads/${id}` }),
  }
}

type Session = Pick<Schemas['UploadEnvelope']['upload'], 'upload_url' | 'upload_headers'>

async function sendParts(
  http: Http,
  session: Session,
  blob: Blob,
  { signal, onProgress }: UploadOptions,
): Promise<void> {
  const put = async (range: string, body: Blob): Promise<number> => {
    const headers = { ...session.upload_headers, 'content-range': `bytes ${range}/${blob.size}` }
    const answer = await http.put(
      session.upload_url,
      { headers, body },
      { timeoutSeconds: partSeconds, ...(signal && { signal }) },
    )
    if (answer.ok) return blob.size
    if (answer.status === 308) return Number(/-(\d+)$/.exec(answer.headers.get('range') ?? '')?.[1] ?? -1) + 1
    // Another request still sends a part, such as one whose connection broke.
    if (answer.status === 409) throw new ConnectionError('The storage is busy with another part.')
    throw new MediaTimelineError(`The storage answered ${answer.status}. Upload the file again.`)
  }
  if (blob.size === 0) await retrying(() => put('*', blob), { signal, retries })
  let sent = 0
  let isCertain = true
  while (sent < blob.size) {
    await retrying(
      async () => {
        if (!isCertain) sent = await put('*', new Blob([]))
        isCertain = false
        const end = Math.min(sent + partBytes, blob.size)
        if (sent < end) {
          const taken = await put(`${sent}-${end - 1}`, blob.slice(sent, end))
          if (taken <= sent) throw new ConnectionError('The storage takes nothing of the file.')
          sent = taken
        }
        isCertain = true
      },
      { signal, retries },
    )
    onProgress?.(sent, blob.size)
  }
}

function nameOf(file: string | Blob): string {
  if (typeof file === 'string') return file.split(/[\\/]/).at(-1) ?? file
  return 'name' in file && typeof file.name === 'string' ? file.name : 'file'
}
