import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import type { Constraints } from '../../src/storage/signing.ts'
import { ObjectExistsError, type ObjectInfo, type Storage } from '../../src/storage/storage.ts'
import { claimSeconds } from '../../src/store/upload-claims.ts'
import type { HeldClaim, UploadClaims } from './claims.ts'

type Allowed = Constraints & { readonly key: string }

/** As long as a claim: what stands still for longer lets another PUT of the same file begin. */
const idleTimeoutMs = claimSeconds * 1000
/** How long a PUT may take: a minute, and the time of its bytes so far at this rate. */
const graceMs = 60_000
const minBytesPerSecond = 32 * 1024
const discardedBytes = 16 * 1024 ** 2

/** Streams the body into the storage. A refused or interrupted upload leaves no object. */
export async function receiveObject(
  { storage, claims }: { readonly storage: Storage; readonly claims: UploadClaims },
  allowed: Allowed,
  { raw }: FastifyRequest,
): Promise<ObjectInfo> {
  raw.setTimeout(idleTimeoutMs)
  let claim: HeldClaim | undefined
  try {
    assertHeaders(allowed, raw)
    claim = await claims.claim(allowed.key, Number(raw.headers['content-length'] ?? allowed.maxBytes ?? 0))
    if (await storage.stat(allowed.key)) throw alreadyThere()
    const body = Readable.from(limited(raw, allowed.maxBytes ?? 0, claim))
    return await storage.create(allowed.key, body, allowed.contentType)
  } catch (error) {
    if (error instanceof ObjectExistsError) throw alreadyThere(error)
    if (!(error instanceof ServiceError) && raw.errored) {
      throw new ServiceError('invalid_request', 'The upload was interrupted. Send the whole file again.', {
        cause: error,
      })
    }
    throw error
  } finally {
    await claim?.release()
  }
}

function assertHeaders({ contentType, maxBytes }: Allowed, { headers }: IncomingMessage): void {
  if (headers['content-type']?.trim().toLowerCase() !== contentType.toLowerCase() || headers['content-encoding']) {
    throw new ServiceError(
      'unsupported_content_type',
      `Send the bytes unchanged, with the header "content-type: ${contentType}".`,
    )
  }
  if (headers['content-range']) {
    throw new ServiceError('invalid_request', 'Send the whole file in one PUT, without content-range.')
  }
  if (Number(headers['content-length'] ?? 0) > (maxBytes ?? 0)) throw tooLarge(maxBytes)
}

async function* limited(body: IncomingMessage, maxBytes: number, claim: HeldClaim): AsyncGenerator<Buffer> {
  const began = performance.now()
  let bytes = 0
  // The connection stays open after a refusal, so that the client can read the response.
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    bytes += piece.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    if (performance.now() - began > graceMs + (bytes / minBytesPerSecond) * 1000) throw tooSlow()
    await claim.arrived()
    yield piece
  }
}

/** Reads some more of the body: a client that is still sending would miss a response that closes the connection. */
export function discardRest(body: IncomingMessage): void {
  let bytes = 0
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > discardedBytes) body.destroy()
  })
  body.on('error', () => {})
  body.resume()
}

function tooLarge(maxBytes: number | null): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `This URL accepts at most ${maxBytes ?? 0} bytes. Send a smaller file, or presign an upload of this size.`,
  )
}

function tooSlow(): ServiceError {
  return new ServiceError(
    'invalid_request',
    `The upload arrives slower than ${minBytesPerSecond} bytes a second. Send the whole file again over a faster connection.`,
  )
}

function alreadyThere(cause?: unknown): ServiceError {
  return new ServiceError(
    'conflict',
    'This upload is complete or was deleted, and accepts no more bytes. Create the job, or presign a new upload.',
    { cause },
  )
}
