import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import type { ApiContext, App } from '../http/context.ts'
import { errorEnvelope, requestId } from '../http/error-schemas.ts'

const check = z.object({ ok: z.boolean(), latency_ms: z.number() })

const health = z
  .object({
    request_id: requestId,
    ok: z.boolean().describe('Whether everything below is.'),
    storage: check,
    jobs: z.object({
      database: check,
      temporal: check,
      workers: check.extend({ count: z.int().describe('Workers that asked for work in the last 70 seconds.') }),
    }),
  })
  .meta({ id: 'Health' })

const readiness = z.object({ request_id: requestId, ready: z.literal(true) }).meta({ id: 'Readiness' })

/** `GET /health` and `GET /ready` */
export function healthRoutes(app: App, { checkHealth }: ApiContext): void {
  app.route({
    method: 'GET',
    url: '/health',
    schema: {
      operationId: 'getHealth',
      tags: ['service'],
      summary: 'See what the service depends on',
      description: 'Always 200: the fields say what works.',
      security: [],
      response: { 200: health, 400: errorEnvelope },
    },
    handler: async (request) => ({ request_id: request.id, ...(await checkHealth()) }),
  })

  app.route({
    method: 'GET',
    url: '/ready',
    schema: {
      operationId: 'getReadiness',
      tags: ['service'],
      summary: 'Ask whether this process takes requests',
      security: [],
      response: { 200: readiness, 400: errorEnvelope, 503: errorEnvelope },
    },
    handler: async (request) => {
      const { jobs } = await checkHealth()
      if (!jobs.database.ok) throw new ServiceError('service_unavailable')
      return { request_id: request.id, ready: true as const }
    },
  })
}
