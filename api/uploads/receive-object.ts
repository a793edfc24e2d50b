import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import { describeExcess } from '../../src/core/text.ts'
import type { Constraints } from '../../src/storage/signing.ts'
import { ObjectExistsError, type ObjectInfo, type Storage } from '../../src/storage/storage.ts'
import { uploadIdleSeconds } from '../../src/uploads/uploads.ts'
import type { HeldClaim, UploadClaims } from './register.ts'

type Allowed = Constraints & { readonly key: string }

/** A PUT may be slow for a minute. Then it has a minimum rate, on average, which grows by as much every four hours: 5 GiB take half a day at most. */
const graceMs = 60_000
const minBytesPerSecond = 32 * 1024
const growthMs = 4 * 3_600_000

/** Streams the body into the storage. A refused or interrupted upload leaves no object. */
export async function receiveObject(
  { storage, claims }: { readonly storage: Storage; readonly claims: UploadClaims },
  allowed: Allowed,
  { raw }: FastifyRequest,
): Promise<ObjectInfo> {
  raw.setTimeout(uploadIdleSeconds * 1000)
  let claim: HeldClaim | undefined
  let stored: ObjectInfo | undefined
  try {
    assertHeaders(allowed, raw)
    const declared = raw.headers['content-length']
    claim = await claims.claim(allowed.key, Number(declared ?? allowed.maxBytes ?? 0))
    if (await storage.stat(allowed.key)) throw alreadyThere()
    // What the page of the upload sent does not count any more.
    await storage.parts?.discard(allowed.key)
    // The connection stays open after a refusal, so that the client can read the response.
    const body = limitedUpload(raw.iterator({ destroyOnReturn: false }), allowed.maxBytes ?? 0, claim)
    stored = await storage.create(allowed.key, Readable.from(body), allowed.contentType)
    return stored
  } catch (error) {
    if (error instanceof ObjectExistsError) throw alreadyThere(error)
    throw interruptedOr(error, raw)
  } finally {
    await claim?.release(stored?.bytes)
  }
}

/** The error itself, unless it comes from a client that broke off. */
export function interruptedOr(error: unknown, { errored }: IncomingMessage): unknown {
  if (error instanceof ServiceError || !errored) return error
  return new ServiceError('invalid_request', 'The upload was interrupted. Send the whole file again.', { cause: error })
}

/** Throws `unsupported_content_type` for a body of another type, or one that is compressed. */
export function assertUnchanged({ contentType }: Allowed, { headers }: IncomingMessage): void {
  // Without a type, the bytes have the signed one, which presigning took from the name. Jobs look at the bytes.
  const sent = headers['content-type']?.trim().toLowerCase() ?? contentType.toLowerCase()
  if (sent !== contentType.toLowerCase() || headers['content-encoding']) {
    throw new ServiceError(
      'unsupported_content_type',
      `Send the bytes unchanged, with the header "content-type: ${contentType}" or without one.`,
    )
  }
}

function assertHeaders(allowed: Allowed, raw: IncomingMessage): void {
  assertUnchanged(allowed, raw)
  const { maxBytes } = allowed
  const { headers } = raw
  if (headers['content-range']) {
    throw new ServiceError('invalid_request', 'Send the whole file in one PUT, without content-range.')
  }
  const declared = headers['content-length']
  if (declared !== undefined && Number(declared) === 0) throw empty()
  if (Number(declared ?? 0) > (maxBytes ?? 0)) throw urlTooSmall(maxBytes, Number(declared))
}

/** The bytes of an upload, within its size and its time. Throws `invalid_request` if there are none. */
export async function* limitedUpload(
  body: AsyncIterable<unknown>,
  maxBytes: number,
  claim: HeldClaim,
): AsyncGenerator<Buffer> {
  const began = performance.now()
  let bytes = 0
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a body is bytes')
    bytes += chunk.length
    if (bytes > maxBytes) throw urlTooSmall(maxBytes)
    const timedMs = performance.now() - began - graceMs
    const minRate = minBytesPerSecond * (1 + timedMs / growthMs)
    if (timedMs > 0 && (bytes * 1000) / timedMs < minRate) throw tooSlow(minRate)
    await claim.arrived()
    yield chunk
  }
  if (bytes === 0) throw empty()
}

function urlTooSmall(maxBytes: number | null, bytes?: number): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `${describeExcess('The file', bytes, maxBytes ?? 0)} Send a smaller file, or presign an upload of this size.`,
  )
}

function empty(): ServiceError {
  return new ServiceError('invalid_request', 'The file is empty. Send all its bytes.')
}

function tooSlow(minRate: number): ServiceError {
  return new ServiceError(
    'invalid_request',
    `The upload arrives slower than ${Math.round(minRate)} bytes a second. Send the whole file again over a faster connection.`,
  )
}

export function alreadyThere(cause?: unknown): ServiceError {
  return new ServiceError(
    'conflict',
    'This upload is complete or was deleted, and accepts no more bytes. Create the job, or presign a new upload.',
    { cause },
  )
}

/** Of one body. Then its connection is closed. */
const maxBytes = 16 * 1024 ** 2
/** Of all refused bodies together, so that those who send many of them do not take the process from the others. */
const bytesPerSecond = 64 * 1024 ** 2

/**
 * Returns a function that reads some more of a refused body: a client that is still sending would miss a response that closes the
 * connection.
 */
export function createDiscardRest(): (body: IncomingMessage) => void {
  let open = 0
  return (body) => {
    let bytes = 0
    open += 1
    body.once('close', () => {
      open -= 1
    })
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) {
        body.destroy()
        return
      }
      body.pause()
      setTimeout(() => body.resume(), (1000 * chunk.length * open) / bytesPerSecond)
    })
    body.on('error', () => {})
    body.resume()
  }
}
