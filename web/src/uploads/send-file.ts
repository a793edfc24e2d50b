import { ApiError } from '../api/client.ts'
import type { Session } from './kept-uploads.ts'
import { type Answer, isPassing, sendParts } from './send-parts.ts'

/** Opens an upload for a file. */
export type Register = (file: File, signal: AbortSignal) => Promise<Session>

interface Options {
  readonly register: Register
  /** Of an earlier attempt, which goes on. */
  readonly session: Session | undefined
  readonly onSession: (session: Session) => void
  /** With the bytes that the storage has kept, or those that are on their way. */
  readonly onProgress: (sentBytes: number, isKept: boolean) => void
  readonly signal: AbortSignal
}

/** A multiple of 256 KiB, as sessions of Google Cloud Storage want it, whose protocol every storage of the service speaks. */
const partBytes = 8 * 2 ** 20

/**
 * Sends a file in parts to its upload, and goes on where it was when a connection breaks.
 * https://cloud.google.com/storage/docs/performing-resumable-uploads
 */
export async function sendFile(file: File, { session: earlier, ...options }: Options): Promise<void> {
  const { register, onSession, signal } = options
  if (earlier) {
    onSession(earlier)
    // Undefined while only the storage knows what has arrived.
    const refusal = await sendParts((from) => put(file, earlier, from, options), undefined, options)
    if (!refusal) return
    if (isPassing(refusal.status)) throw refusal.error
  }
  const session = await register(file, signal)
  onSession(session)
  const refusal = await sendParts((from) => put(file, session, from, options), 0, options)
  if (refusal) throw refusal.error
}

/** Sends the part from `from` on, or asks how much has arrived. By XMLHttpRequest, because fetch tells no progress of what it sends. */
function put(
  file: File,
  session: Session,
  from: number | undefined,
  { onProgress, signal }: Pick<Options, 'onProgress' | 'signal'>,
) {
  return new Promise<Answer>((resolve, reject) => {
    const body = from === undefined || from >= file.size ? undefined : file.slice(from, from + partBytes)
    const range = body && from !== undefined ? `${from}-${from + body.size - 1}` : '*'
    const request = new XMLHttpRequest()
    request.open('PUT', session.upload_url)
    for (const [name, value] of Object.entries(session.upload_headers)) request.setRequestHeader(name, value)
    request.setRequestHeader('content-range', `bytes ${range}/${file.size}`)
    request.upload.onprogress = ({ loaded }) => onProgress((from ?? 0) + loaded, false)
    request.onloadend = () => {
      signal.removeEventListener('abort', abort)
      const { status, responseText } = request
      const [, last] = /-(\d+)$/.exec(status === 308 ? (request.getResponseHeader('range') ?? '') : '') ?? []
      const error = new ApiError(messageOf(responseText, status), { code: 'upload_failed', status })
      if (signal.aborted) reject(error)
      else resolve({ status, keptBytes: last === undefined ? 0 : Number(last) + 1, error })
    }
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    request.send(body ?? null)
    if (signal.aborted) abort()
  })
}

/** What the service says, or that it said nothing: a storage answers in a language of its own. */
function messageOf(text: string, status: number): string {
  const [, message] = /"message":\s*"([^"\\]+)"/.exec(text) ?? []
  if (message) return message
  return status === 0
    ? 'The upload was interrupted. Check your connection, then resume it.'
    : 'The storage refused the file. Choose it again.'
}
