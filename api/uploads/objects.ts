import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import { type ByteRange, parseByteRange, servedFile } from '../../src/core/served-file.ts'
import type { Constraints, Signer } from '../../src/storage/signing.ts'
import { isObjectKey, type ObjectInfo, ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'
import { allowLongBody, limitBody } from '../http/connection-limits.ts'
import type { ApiContext, App } from '../http/context.ts'
import { allowPlayerPauses } from '../http/responses.ts'
import { verifySignedUrl } from '../http/signed-url.ts'
import { createDiscardRest, receiveObject } from './receive-object.ts'
import { receivePart } from './receive-part.ts'
import { createUploadClaims, type UploadClaims } from './register.ts'

interface ObjectRouteOptions {
  readonly storage: Storage
  readonly signer: Signer
  readonly claims: UploadClaims
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'accept-ranges, content-disposition, content-length, content-range, etag, range, retry-after, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, PUT',
  'access-control-allow-headers': 'content-range, content-type, if-none-match, if-range, range',
  'access-control-max-age': '600',
}

/** The signed URLs of local storage; other storage serves its own. */
export async function signedObjectRoutes(app: App, context: ApiContext) {
  const { storage, signer } = context
  if (signer) await objectRoutes(app, { storage, signer, claims: createUploadClaims(context) })
}

/**
 * PUT, GET, HEAD and OPTIONS of `/storage/*`. First of all checks the URL: 400 `invalid_request` if it was changed or has
 * expired. An unknown object is 404 `not_found`.
 */
export async function objectRoutes(
  app: FastifyInstance,
  { storage, signer, claims }: ObjectRouteOptions,
): Promise<void> {
  // Bodies are media of any type; handlers receive them as streams.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(corsHeaders)
  })
  const discardRest = createDiscardRest()
  app.addHook('onError', async ({ raw }) => {
    limitBody(raw)
    discardRest(raw)
  })

  app.route({
    method: 'OPTIONS',
    url: '/storage/*',
    schema: { hide: true },
    handler: async (_request, reply) => reply.code(204).headers(preflightHeaders).send(),
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/storage/*',
    schema: { hide: true },
    handler: async (request, reply) => {
      const object = allowed(signer, request)
      allowPlayerPauses(request.raw)
      return sendObject(storage, object, request, reply)
    },
  })

  app.route({
    method: 'PUT',
    url: '/storage/*',
    schema: { hide: true },
    handler: async (request, reply): Promise<FastifyReply> => {
      const upload = allowed(signer, request)
      allowLongBody(request.raw)
      const { session } = upload
      if (session !== undefined && storage.parts) {
        const { parts } = storage
        const arrived = await receivePart({ storage, parts, claims }, { ...upload, session }, request)
        // What was not needed of the body is still to be read.
        if (!request.raw.readableEnded) {
          limitBody(request.raw)
          discardRest(request.raw)
        }
        if (arrived.object) {
          const { bytes, etag } = arrived.object
          return reply.header('etag', `"${etag}"`).send({ request_id: request.id, bytes })
        }
        if (arrived.bytes > 0) reply.header('range', `bytes=0-${arrived.bytes - 1}`)
        return reply.code(308).send()
      }
      const { bytes, etag } = await receiveObject({ storage, claims }, upload, request)
      return reply.header('etag', `"${etag}"`).send({ request_id: request.id, bytes })
    },
  })
}

/** The object that the URL's signature allows for this method, with its constraints. */
function allowed(
  signer: Signer,
  request: FastifyRequest,
): Constraints & { readonly key: string; readonly asAttachment: boolean } {
  const checked = verifySignedUrl(signer, request)
  if (checked.status === 'altered') {
    throw new ServiceError(
      'invalid_request',
      'This URL was changed, is for another method, or its signing secret is no longer in use. Use it exactly as you received it, or get a new one.',
    )
  }
  if (checked.status === 'expired') {
    if (checked.isResumable) throw new ServiceError('not_found', 'This upload has ended. Presign another.')
    throw new ServiceError(
      'invalid_request',
      'This URL has expired. To get a new one, presign the upload again, or refresh the outputs of the job.',
    )
  }
  const { key } = checked
  if (!isObjectKey(key)) throw new ServiceError('not_found')
  return { key, asAttachment: checked.asAttachment, ...checked.constraints }
}

type Allowed = Constraints & { readonly key: string; readonly asAttachment: boolean }

/** Media opens in the browser, but cannot load or run anything; the browser's player needs `self`. */
const contentSecurityPolicy = "sandbox; default-src 'none'; media-src 'self'; style-src 'unsafe-inline'"

/** Serves a whole object or one range of it (RFC 9110, 13 and 14). */
async function sendObject(
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
