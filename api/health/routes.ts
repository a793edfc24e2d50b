import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { unlimitedRoute } from '../http/route.ts'
import { errorEnvelope, requestId } from '../http/schemas.ts'

const check = z.object({ ok: z.boolean(), latency_ms: z.number() })

const health = z
  .object({
    request_id: requestId,
    ok: z.boolean().describe('Whether every part below is ok.'),
    storage: check,
    new_work: z
      .object({
        ok: z.boolean(),
        process: z.boolean().describe('Whether memory and event loop of this process have room.'),
        disk: z.boolean().describe('Whether the storage has room for uploads.'),
      })
      .describe('Whether new jobs and uploads are accepted; otherwise they get 503 with Retry-After.'),
    jobs: z.object({
      database: check,
      temporal: check,
      workers: check.extend({
        count: z.int().describe('Workers that polled for work in the last 70 seconds.'),
        confined: z.int().describe('Those of them that run ffmpeg confined.'),
        blocked_last_hour: z
          .int()
          .describe('Workers that ended themselves in the last hour because a job blocked them.'),
        last_blocked_at: z.iso.datetime().nullable().describe('When the last of these ended.'),
      }),
    }),
  })
  .meta({ id: 'Health' })

const readiness = z.object({ request_id: requestId, ready: z.literal(true) }).meta({ id: 'Readiness' })

/** `GET /health` */
export const healthRoute = unlimitedRoute({
  method: 'GET',
  url: '/health',
  schema: {
    operationId: 'getHealth',
    tags: ['service'],
    summary: 'Get the state of the parts that the service depends on',
    description: 'Always answers 200; the fields state what works.',
    security: [],
    response: { 200: health, 400: errorEnvelope },
  },
  handler: async (request, { context: { checkHealth } }) => ({ request_id: request.id, ...(await checkHealth()) }),
})

/** `GET /ready` */
export const readinessRoute = unlimitedRoute({
  method: 'GET',
  url: '/ready',
  schema: {
    operationId: 'getReadiness',
    tags: ['service'],
    summary: 'Check whether this process can take requests',
    security: [],
    response: { 200: readiness, 400: errorEnvelope, 503: errorEnvelope },
  },
  handler: async (request, { context: { checkHealth } }) => {
    const { jobs } = await checkHealth()
    if (!jobs.database.ok) throw new ServiceError('service_unavailable')
    return { request_id: request.id, ready: true as const }
  },
})
