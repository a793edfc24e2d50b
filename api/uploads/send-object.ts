import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ByteRange, parseByteRange } from '../../src/core/byte-range.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { servedFile } from '../../src/core/served-file.ts'
import type { Constraints } from '../../src/storage/signing.ts'
import { type ObjectInfo, ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'

type Allowed = Constraints & { readonly key: string; readonly asAttachment: boolean }

/** Media opens in the browser, but cannot load or run anything; the browser's player needs `self`. */
const contentSecurityPolicy = "sandbox; default-src 'none'; media-src 'self'; style-src 'unsafe-inline'"

/** Serves a whole object or one range of it (RFC 9110, 13 and 14). */
export async function sendObject(
  storage: Storage,
  allowed: Allowed,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const object = await storage.stat(allowed.key)
  if (!object) throw gone()
  const etag = `"${object.etag}"`
  const isKnown = matches(request.headers['if-none-match'], etag)
  const range = isKnown ? 'whole' : wantedRange(request, object, etag)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${object.bytes}`)
    throw new ServiceError('range_not_satisfiable')
  }
  reply.headers({ ...describe(allowed), etag, 'accept-ranges': 'bytes' })
  if (isKnown) return reply.code(304).send()
  const { start, end } = range === 'whole' ? { start: 0, end: object.bytes - 1 } : range
  const hasBody = request.method === 'GET' && object.bytes > 0
  const body = hasBody ? await open(storage, object, { start, end }) : undefined
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end}/${object.bytes}`)
  return reply.header('content-length', end - start + 1).send(body)
}

function describe({ contentType, fileName, asAttachment }: Allowed): Record<string, string> {
  const served = servedFile(contentType, fileName ?? 'download', asAttachment)
  return {
    'content-type': served.contentType,
    'content-disposition': served.contentDisposition,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache, no-transform',
  }
}

function wantedRange(
  { method, headers }: FastifyRequest,
  { bytes }: ObjectInfo,
  etag: string,
): ReturnType<typeof parseByteRange> {
  const isStale = headers['if-range'] !== undefined && headers['if-range'] !== etag
  return method === 'GET' && headers.range && !isStale ? parseByteRange(headers.range, bytes) : 'whole'
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const candidates = ifNoneMatch?.split(',').map((candidate) => candidate.trim().replace(/^W\//, '')) ?? []
  return candidates.includes(etag) || candidates.includes('*')
}

async function open(storage: Storage, { key, generation }: ObjectInfo, range: ByteRange) {
  try {
    return await storage.read(key, { generation, ...range })
  } catch (error) {
    throw error instanceof ObjectNotFoundError ? gone(error) : error
  }
}

function gone(cause?: unknown): ServiceError {
  return new ServiceError(
    'not_found',
    'File not found: it has not been uploaded yet, it was deleted, or it has expired.',
    {
      cause,
    },
  )
}
