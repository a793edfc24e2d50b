import { createHash } from 'node:crypto'
import { z } from 'zod'
import { dayMs } from '../../core/time-code.ts'
import { ObjectExistsError, type ObjectInfo, type ObjectSource, withSource } from '../storage.ts'
import { type GcsBucket, GcsError, type GcsLimits, onGcs, retrying, send, timeLimit } from './open-bucket.ts'

/** A multiple of 256 KiB. Unconfirmed bytes are held in memory. */
const chunkBytes = 8 * 1024 ** 2

/**
 * Writes the source as one object. Whatever fails leaves nothing; errors of the source pass unchanged.
 *
 * Instead of createWriteStream of @google-cloud/storage 7.22, which fails eight of the storage tests: it waits without end
 * for a server that does not answer (its `timeout` is not for resumable uploads: nodejs-storage #1622), it fails a complete
 * upload whose last answer was lost (#2193, open), and an abort leaves the session on the server (#2367).
 */
export function writeToBucket(gcs: GcsBucket, source: ObjectSource, input: SessionInput): Promise<ObjectResource> {
  const { signal } = input
  const { limits } = gcs
  return withSource(source, signal, async () => {
    const session = await onGcs(() => openSession(gcs, input), signal)
    try {
      const hash = createHash('md5')
      for await (const chunk of chunksOf(source, chunkBytes)) {
        hash.update(chunk.bytes)
        const md5 = chunk.isLast ? hash.digest('base64') : undefined
        const object = await onGcs(() => sendChunk(session, { chunk, md5, limits, signal }), signal)
        if (object) return object
      }
      throw new TypeError('no chunk was the last')
    } catch (error) {
      await session.cancel()
      throw error
    }
  })
}

interface SessionInput {
  readonly key: string
  readonly contentType: string
  /** Fails with ObjectExistsError if the key exists. */
  readonly onlyNew: boolean
  readonly signal?: AbortSignal | undefined
}

interface UploadChunk {
  /** The value of content-range. */
  readonly range: string
  readonly bytes: Buffer<ArrayBuffer>
  /** MD5 of the whole object in base64; sent with the last chunk. */
  readonly md5?: string | undefined
}

/** GCS's answer to a chunk: the finished object, or the number of bytes that have arrived. */
type Answer = { readonly object: ObjectResource } | { readonly object?: undefined; readonly arrivedBytes: number }

/** A resumable upload: its object appears complete after the last chunk, or never. */
interface UploadSession {
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

/** A session lasts a week. */
export const sessionMs = 7 * dayMs

interface ClientSessionInput extends SessionInput {
  /** Of the whole object; the session accepts no other number. */
  readonly bytes: number
  /** Of the page that sends them: the answers of the session allow it, and no other. */
  readonly origin?: string | undefined
}

/** The URL of a session whose bytes a client sends. */
export async function openClientSession(gcs: GcsBucket, input: ClientSessionInput): Promise<string> {
  const { bytes, contentType, origin } = input
  const url = await retrying(gcs.limits, undefined, () =>
    start(gcs, input, {
      'x-upload-content-length': String(bytes),
      'x-upload-content-type': contentType,
      ...(origin ? { origin } : {}),
    }),
  )
  return url.startsWith(gcs.apiEndpoint) ? gcs.publicEndpoint + url.slice(gcs.apiEndpoint.length) : url
}

/** Returns the session's URL, which is a secret: it accepts bytes from anyone. */
async function start(
  gcs: GcsBucket,
  { key, contentType, onlyNew, signal }: SessionInput,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const query = new URLSearchParams({ uploadType: 'resumable', name: key })
  if (onlyNew) query.set('ifGenerationMatch', '0')
  const response = await send(`${gcs.apiEndpoint}/upload/storage/v1/b/${gcs.bucket.name}/o?${query}`, {
    method: 'POST',
    headers: { ...(await gcs.authorization()), 'content-type': 'application/json', ...headers },
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

interface SendChunkInput {
  readonly chunk: Chunk
  /** MD5 of the whole object in base64; sent with the last chunk. */
  readonly md5?: string | undefined
  readonly limits: GcsLimits
  readonly signal?: AbortSignal | undefined
}

/** Sends a chunk until all of it has arrived. Returns the object after the last chunk. */
async function sendChunk(session: UploadSession, input: SendChunkInput): Promise<ObjectResource | undefined> {
  const { chunk, md5, limits, signal } = input
  const end = chunk.start + chunk.bytes.length
  // Undefined after a failure: the next round first asks how much has arrived.
  let arrived: number | undefined = chunk.start

  async function step(): Promise<Answer> {
    const from = arrived
    arrived = undefined
    if (from === undefined) return session.put({ range: 'bytes */*', bytes: Buffer.alloc(0) })
    const bounds = from === end ? '*' : `${from}-${end - 1}`
    const total = chunk.isLast ? end : '*'
    const bytes = chunk.bytes.subarray(from - chunk.start)
    const answer = await session.put({ range: `bytes ${bounds}/${total}`, bytes, md5 })
    if (answer.object || answer.arrivedBytes > from) return answer
    throw new GcsError('the upload makes no progress', { isPassing: true })
  }

  return retrying(limits, signal, async () => {
    for (;;) {
      const answer = await step()
      if (answer.object) return verified(answer.object, md5)
      const { arrivedBytes } = answer
      if (arrivedBytes < chunk.start || arrivedBytes > end) throw new GcsError('the upload lost its place')
      if (arrivedBytes === end && !chunk.isLast) return undefined
      arrived = arrivedBytes
    }
  })
}

function verified(object: ObjectResource, md5: string | undefined): ObjectResource {
  if (object.md5Hash === undefined || object.md5Hash === md5) return object
  throw new GcsError(`${object.name} arrived damaged`)
}

export interface Chunk {
  readonly bytes: Buffer<ArrayBuffer>
  /** Offset of the chunk in the source. */
  readonly start: number
  readonly isLast: boolean
}

/** The source in chunks of `size` bytes. The last chunk can be shorter; it is empty only for an empty source. */
export async function* chunksOf(source: AsyncIterable<Uint8Array | string>, size: number): AsyncGenerator<Chunk> {
  let held: Buffer[] = []
  let heldBytes = 0
  let start = 0
  for await (const piece of source) {
    const data = Buffer.from(piece)
    held.push(data)
    heldBytes += data.length
    // With more than a chunk held, the chunk yielded here is never the last.
    if (heldBytes <= size) continue
    let bytes = Buffer.concat(held)
    for (; bytes.length > size; bytes = bytes.subarray(size)) {
      yield { bytes: bytes.subarray(0, size), start, isLast: false }
      start += size
    }
    held = [bytes]
    heldBytes = bytes.length
  }
  yield { bytes: Buffer.concat(held), start, isLast: true }
}

/** An object resource of the JSON API. */
export const objectResource = z.object({
  name: z.string(),
  size: z.coerce.number(),
  generation: z.coerce.string(),
  contentType: z.string().default('application/octet-stream'),
  /** In base64; missing on composite objects. */
  md5Hash: z.string().optional(),
})
type ObjectResource = z.output<typeof objectResource>

/** The ETag equals that of signed URLs: the MD5 in hex. */
export function infoOfResource({ name, size, generation, contentType, md5Hash }: ObjectResource): ObjectInfo {
  const etag = md5Hash === undefined ? generation : Buffer.from(md5Hash, 'base64').toString('hex')
  return { key: name, bytes: size, generation, contentType, etag }
}
