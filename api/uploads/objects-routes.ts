import type {} from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import type { Constraints, Signer } from '../../src/storage/signing.ts'
import { isObjectKey, type Storage } from '../../src/storage/storage.ts'
import { allowLongBody, limitBody } from '../http/connection-limits.ts'
import type { ApiContext, App } from '../http/context.ts'
import { allowPlayerPauses } from '../http/responses.ts'
import { createUploadClaims, type UploadClaims } from './claims.ts'
import { createDiscardRest } from './discard-rest.ts'
import { receiveObject } from './receive-object.ts'
import { sendObject } from './send-object.ts'

export interface ObjectRouteOptions {
  readonly storage: Storage
  readonly signer: Signer
  readonly claims: UploadClaims
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'accept-ranges, content-disposition, content-length, content-range, etag, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, PUT',
  'access-control-allow-headers': 'content-type, if-none-match, if-range, range',
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
  const start = request.url.indexOf('?')
  const path = start < 0 ? request.url : request.url.slice(0, start)
  const query = start < 0 ? '' : request.url.slice(start)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const checked = signer.verify(method, path, new URLSearchParams(query))
  if (checked.status === 'altered') {
    throw new ServiceError(
      'invalid_request',
      'This URL was changed, is for another method, or its signing secret is no longer in use. Use it exactly as you received it, or get a new one.',
    )
  }
  if (checked.status === 'expired') {
    throw new ServiceError(
      'invalid_request',
      'This URL has expired. To get a new one, presign the upload again, or refresh the outputs of the job.',
    )
  }
  const key = path.slice('/storage/'.length)
  if (!isObjectKey(key)) throw new ServiceError('not_found')
  return { key, asAttachment: checked.asAttachment, ...checked.constraints }
}
