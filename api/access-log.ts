import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { routeOf } from './observe-requests.ts'

const jobPath = z.object({ job_id: z.string().max(80) })

/** One line a request: its route and its job, never its address, headers or body. */
export function logAccess(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: routeOf(request),
        jobId: jobPath.safeParse(request.params).data?.job_id,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}
