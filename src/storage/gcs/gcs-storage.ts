import { addAbortSignal, Readable } from 'node:stream'
import { cacheFor } from '../../core/concurrency.ts'
import { ServiceError } from '../../core/errors.ts'
import { servedFile } from '../../core/served-file.ts'
import {
  assertObjectKey,
  isObjectKey,
  type NamedObject,
  type ObjectInfo,
  ObjectNotFoundError,
  type PresignGetInput,
  type PresignPutInput,
  type ReadOptions,
  type SignedUrl,
  type Storage,
} from '../storage.ts'
import {
  type GcsBucket,
  GcsError,
  type GcsOptions,
  httpStatusOf,
  onGcs,
  openBucket,
  retrying,
  send,
  totalMs,
  within,
} from './open-bucket.ts'
import {
  infoOfResource,
  objectResource,
  openClientSession,
  openSession,
  sessionMs,
  writeToBucket,
} from './write-object.ts'

const deletesAtOnce = 16

/**
 * Objects of one bucket of Google Cloud Storage, which serves the signed URLs itself. Needs roles/storage.objectUser on
 * the bucket and nothing on the project. Every call ends in bounded time and fails with a retryable `server_error`.
 */
export function openGcsStorage(options: GcsOptions): Storage {
  const gcs = openBucket(options)
  const { bucket, limits } = gcs
  /** Limits calls of the client library, whose own time-outs do not cover getting a token. */
  const call = <T>(work: () => Promise<T>) => onGcs(() => within(totalMs(limits), work()))
  const remove = (key: string) => call(() => bucket.file(key).delete({ ignoreNotFound: true }))

  return {
    presignPut: async (input) => {
      assertObjectKey(input.key)
      return signPut(gcs, input)
    },
    presignSession: async ({ key, contentType, maxBytes, origin }) => {
      assertObjectKey(key)
      const url = await onGcs(() =>
        openClientSession(gcs, { key, contentType, onlyNew: true, bytes: maxBytes, origin }),
      )
      return { url, expiresAt: new Date(Date.now() + sessionMs) }
    },
    presignGet: async (input) => {
      assertObjectKey(input.key)
      return signGet(gcs, input)
    },
    objectOf: (url) => objectOfUrl(gcs, url),
    stat: async (key) => {
      assertObjectKey(key)
      return call(() => stat(gcs, key))
    },
    read: async (key, options = {}) => {
      assertObjectKey(key)
      return readObject(gcs, key, options)
    },
    write: async (key, source, contentType, signal) => {
      assertObjectKey(key)
      return infoOfResource(await writeToBucket(gcs, source, { key, contentType, onlyNew: false, signal }))
    },
    create: async (key, source, contentType, signal) => {
      assertObjectKey(key)
      return infoOfResource(await writeToBucket(gcs, source, { key, contentType, onlyNew: true, signal }))
    },
    delete: async (key) => {
      assertObjectKey(key)
      await remove(key)
    },
    deleteUnder: async (prefix) => {
      assertObjectKey(prefix)
      const [files] = await call(() => bucket.getFiles({ prefix: `${prefix}/`, fields: 'items(name),nextPageToken' }))
      for (let at = 0; at < files.length; at += deletesAtOnce) {
        await Promise.all(files.slice(at, at + deletesAtOnce).map(({ name }) => remove(name)))
      }
    },
    localPath: async () => undefined,
    hasRoom: async () => true,
    // Each ping is a billed request.
    ping: cacheFor(10_000, () => onGcs(() => ping(gcs))),
  }
}

async function stat({ bucket }: GcsBucket, key: string): Promise<ObjectInfo | undefined> {
  try {
    const [metadata] = await bucket.file(key).getMetadata()
    return infoOfResource(objectResource.parse(metadata))
  } catch (error) {
    if (httpStatusOf(error) === 404) return undefined
    throw error
  }
}

/** Begins an upload, which checks the bucket and the right to write, and abandons it: nothing is written. */
async function ping(gcs: GcsBucket): Promise<void> {
  const once = { ...gcs, limits: { ...gcs.limits, retries: 0 } }
  const session = await openSession(once, { key: 'ping', contentType: 'application/octet-stream', onlyNew: false })
  await session.cancel()
}

/**
 * The object's bytes. A download that breaks or stalls continues where it was, in the same generation. Downloads of the client
 * library would wait forever (nodejs-storage #24), and closing one of them cuts the connections of all.
 */
async function readObject(gcs: GcsBucket, key: string, options: ReadOptions): Promise<Readable> {
  const { start = 0, end, signal } = options
  const { limits } = gcs
  const closing = new AbortController()
  const closed = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal

  const first = await onGcs(
    () => retrying(limits, closed, () => openDownload(gcs, key, { ...options, start, signal: closed })),
    signal,
  )
  let download: Download | undefined = first
  let at = start

  const next = () =>
    retrying(limits, closed, async () => {
      if (end !== undefined && at > end) return undefined
      download ??= await openDownload(gcs, key, { start: at, end, generation: first.generation, signal: closed })
      try {
        const bytes = await within(limits.transferTimeoutMs, download.next())
        at += bytes?.length ?? 0
        return bytes
      } catch (error) {
        download.close()
        download = undefined
        throw new GcsError(`reading ${key} broke off: ${String(error)}`, { isPassing: true })
      }
    })

  const stream = new Readable({
    read() {
      onGcs(next, signal).then(
        (bytes) => stream.push(bytes ?? null),
        (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
      )
    },
    destroy(error, done) {
      closing.abort()
      done(error)
    },
  })
  return signal ? addAbortSignal(signal, stream) : stream
}

interface DownloadInput {
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
async function openDownload(gcs: GcsBucket, key: string, input: DownloadInput): Promise<Download> {
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

type SignedUpload = SignedUrl & { readonly headers: Readonly<Record<string, string>> }

/** A V4 URL with signed headers: a PUT without them is refused. */
async function signPut(gcs: GcsBucket, input: PresignPutInput): Promise<SignedUpload> {
  const { key, contentType, maxBytes, expiresInSeconds } = input
  const conditions = {
    'x-goog-if-generation-match': '0',
    'x-goog-content-length-range': `0,${maxBytes}`,
  }
  const signed = await sign(gcs, key, expiresInSeconds, { action: 'write', contentType, extensionHeaders: conditions })
  return { ...signed, headers: { 'content-type': contentType, ...conditions } }
}

/** A V4 URL whose query sets the content type and disposition of the response. */
async function signGet(gcs: GcsBucket, input: PresignGetInput): Promise<SignedUrl> {
  const { contentType, contentDisposition } = servedFile(input.contentType, input.fileName, input.asAttachment)
  return sign(gcs, input.key, input.expiresInSeconds, {
    action: 'read',
    responseType: contentType,
    responseDisposition: contentDisposition,
  })
}

/**
 * The object of a URL with our prefix. Reads the expiry, but only Google can check the signature, so the URL alone
 * proves nothing.
 */
function objectOfUrl({ publicEndpoint, bucket }: GcsBucket, url: URL): NamedObject | undefined {
  const start = `${new URL(publicEndpoint).href.replace(/\/$/, '')}/${bucket.name}/`
  const address = `${url.origin}${url.pathname}`
  if (!address.startsWith(start)) return undefined
  const key = address.slice(start.length)
  const expiresAt = expiryOf(url.searchParams)
  if (!isObjectKey(key) || expiresAt === undefined) return { key, status: 'altered' }
  return { key, status: expiresAt <= Date.now() ? 'expired' : 'valid' }
}

type Wanted =
  | { readonly action: 'read'; readonly responseType: string; readonly responseDisposition: string }
  | { readonly action: 'write'; readonly contentType: string; readonly extensionHeaders: Record<string, string> }

async function sign(gcs: GcsBucket, key: string, expiresInSeconds: number, wanted: Wanted): Promise<SignedUrl> {
  // The URL has whole seconds.
  const accessibleAt = new Date(Math.floor(Date.now() / 1000) * 1000)
  const expiresAt = new Date(accessibleAt.getTime() + expiresInSeconds * 1000)
  const [url] = await onGcs(() =>
    within(
      gcs.limits.timeoutMs,
      gcs.bucket.file(key).getSignedUrl({
        version: 'v4',
        host: gcs.publicEndpoint,
        accessibleAt,
        expires: expiresAt,
        ...wanted,
      }),
    ),
  )
  return { url, expiresAt }
}

/** In milliseconds. */
function expiryOf(query: URLSearchParams): number | undefined {
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Goog-Date') ?? '')
  const seconds = Number(query.get('X-Goog-Expires') ?? NaN)
  if (!date || !Number.isFinite(seconds) || !query.has('X-Goog-Signature')) return undefined
  const [, year, month, day, hour, minute, second] = date
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + seconds * 1000
}
