import { ApiError, api, resultOf } from '../api/client.ts'
import type { Upload } from '../api/queries.ts'

interface Options {
  readonly onRegistered: (upload: Pick<Upload, 'id' | 'media_url'>) => void
  readonly onProgress: (sentBytes: number) => void
  readonly signal: AbortSignal
}

/** Registers an upload and sends its bytes to the storage. */
export async function sendFile(file: File, { onRegistered, onProgress, signal }: Options): Promise<void> {
  const body = { filename: file.name, bytes: file.size, ...(file.type ? { content_type: file.type } : {}) }
  const { upload } = await resultOf(api.POST('/v1/uploads/presign', { body, signal }))
  onRegistered(upload)
  await put(file, upload, onProgress, signal)
}

interface Target {
  readonly upload_url: string
  readonly upload_headers: Readonly<Record<string, string>>
}

/** By XMLHttpRequest, because fetch tells no progress of what it sends. */
function put(file: File, target: Target, onProgress: (sentBytes: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (message: string) => reject(new ApiError(message, { code: 'upload_failed', status: request.status }))
    request.open('PUT', target.upload_url)
    for (const [name, value] of Object.entries(target.upload_headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () => (request.status < 300 ? resolve() : fail(messageOf(request.responseText)))
    request.onerror = () => fail('The upload was interrupted. Check your connection, then choose the file again.')
    request.onabort = () => fail('The upload was stopped.')
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

/** What the service says, or that it said nothing: a storage answers in a language of its own. */
function messageOf(text: string): string {
  const [, message] = /"message":\s*"([^"\\]+)"/.exec(text) ?? []
  return message ?? 'The storage refused the file. Choose it again.'
}
