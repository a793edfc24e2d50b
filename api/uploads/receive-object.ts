import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import type { Constraints } from '../../src/storage/signing.ts'
import { ObjectExistsError, type ObjectInfo, type Storage } from '../../src/storage/storage.ts'

type Allowed = Constraints & { readonly key: string }

const idleTimeoutMs = 60_000
const discardedBytes = 16 * 1024 ** 2

/** Streams the body into the storage. A refused or interrupted upload leaves no object. */
export async function receiveObject(storage: Storage, allowed: Allowed, { raw }: FastifyRequest): Promise<ObjectInfo> {
  raw.setTimeout(idleTimeoutMs)
  try {
    assertHeaders(allowed, raw)
    if (await storage.stat(allowed.key)) throw alreadyThere()
    const body = Readable.from(limited(raw, allowed.maxBytes ?? 0))
    return await storage.create(allowed.key, body, allowed.contentType)
  } catch (error) {
    if (error instanceof ObjectExistsError) throw alreadyThere(error)
    if (!(error instanceof ServiceError) && raw.errored) {
      throw new ServiceError('invalid_request', 'The upload was interrupted. Send the whole file again.', {
        cause: error,
      })
    }
    throw error
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

async function* limited(body: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  // The connection stays open after a refusal, so that the client can read the response.
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    bytes += piece.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
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

function alreadyThere(cause?: unknown): ServiceError {
  return new ServiceError(
    'conflict',
    'This upload is complete and accepts no more bytes. Create the job, or presign a new upload.',
    { cause },
  )
}
