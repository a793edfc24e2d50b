import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import { type ByteRange, parseByteRange, servedFile } from '../../src/core/served-file.ts'
import type { Constraints, Signer } from '../../src/storage/signing.ts'
import {
  isObjectKey,
  ObjectExistsError,
  type ObjectInfo,
  ObjectNotFoundError,
  type ObjectPart,
  type ObjectParts,
  type Storage,
} from '../../src/storage/storage.ts'
import { uploadIdleSeconds } from '../../src/uploads/uploads.ts'
import { allowLongBody, limitBody } from '../http/connection-limits.ts'
import type { ApiContext, App } from '../http/context.ts'
import { allowPlayerPauses } from '../http/responses.ts'
import { verifySignedUrl } from '../http/signed-url.ts'
import { assertUnchanged, createDiscardRest, interruptedOr, limitedUpload, receiveObject } from './receive-object.ts'
import { createUploadClaims, type HeldClaim, type UploadClaims } from './register.ts'

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

type Allowed = Constraints & { readonly key: string; readonly asAttachment: boolean }

/** The object that the URL's signature allows for this method, with its constraints. */
function allowed(signer: Signer, request: FastifyRequest): Allowed {
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

interface PartInput {
  readonly storage: Storage
  readonly parts: ObjectParts
  readonly claims: UploadClaims
}

type AllowedPart = Constraints & ObjectPart

/** The object once all its bytes have arrived; before that, how many have. */
type Arrived = { readonly object: ObjectInfo } | { readonly object?: undefined; readonly bytes: number }

/**
 * One PUT of a resumable upload, by the protocol of the sessions of Google Cloud Storage. What has arrived stays when a PUT breaks off.
 * https://cloud.google.com/storage/docs/performing-resumable-uploads
 */
async function receivePart(
  { storage, parts, claims }: PartInput,
  allowed: AllowedPart,
  { raw }: FastifyRequest,
): Promise<Arrived> {
  const { key, contentType } = allowed
  const total = allowed.maxBytes ?? 0
  raw.setTimeout(uploadIdleSeconds * 1000)
  let claim: HeldClaim | undefined
  let object: ObjectInfo | undefined
  try {
    assertUnchanged(allowed, raw)
    const sent = sentRange(raw.headers['content-range'], total)
    const held = await claims.claim(key, total, { session: allowed.session })
    claim = held
    object = await storage.stat(key)
    if (object) return { object }
    let bytes = await parts.bytesOf(allowed)
    if (bytes > total) {
      // Another PUT wrote too, whose claim had lapsed. The client sends the file again.
      await parts.discard(key)
      bytes = 0
    }
    if (sent && sent.start <= bytes && bytes <= sent.end) {
      const body = limitedUpload(raw.iterator({ destroyOnReturn: false }), sent.end - sent.start + 1, held)
      bytes = await parts.append(allowed, withoutFirst(body, bytes - sent.start), bytes)
    }
    if (bytes !== total) return { bytes }
    object = await parts.finish(allowed, contentType, () => held.arrived())
    return { object }
  } catch (error) {
    if (error instanceof ObjectExistsError) throw new ServiceError('not_found', undefined, { cause: error })
    throw interruptedOr(error, raw)
  } finally {
    await claim?.release(object?.bytes)
  }
}

const rangePattern = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/
/** Of all parts but the last. */
const partUnitBytes = 256 * 1024

/** The bytes that the PUT sends. Undefined if it only asks how many have arrived. Throws `invalid_request`. */
function sentRange(header: string | undefined, total: number): { start: number; end: number } | undefined {
  const [, first, last, ofTotal] = rangePattern.exec(header ?? '') ?? []
  if (ofTotal === undefined)
    throw wrongRange(
      `Send the header "content-range: bytes FIRST-LAST/${total}", or "bytes */${total}" without a body.`,
    )
  if (Number(ofTotal) !== total)
    throw wrongRange(`This upload has ${total} bytes. Presign another for a file of another size.`)
  if (first === undefined || last === undefined) return undefined
  const [start, end] = [Number(first), Number(last)]
  if (end < start || end >= total) throw wrongRange(`The range is not within the ${total} bytes of the file.`)
  if (end + 1 < total && (end + 1 - start) % partUnitBytes !== 0)
    throw wrongRange(`Send a multiple of ${partUnitBytes} bytes, except at the end of the file.`)
  return { start, end }
}

function wrongRange(message: string): ServiceError {
  return new ServiceError('invalid_request', message)
}

async function* withoutFirst(body: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of body) {
    if (left < chunk.length) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}
