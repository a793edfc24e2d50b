import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'

export const apiVersion = '2026-06-09-beta'

/** Sets the request id and the version on every response, and refuses other versions. */
export function stampResponses(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-api-version': apiVersion, 'cache-control': 'no-store' })
    const wanted = request.headers['x-api-version']
    if (wanted !== undefined && wanted !== apiVersion) throw new ServiceError('unsupported_version')
  })
}
