import { z } from 'zod'
import { hasEnded } from '../../src/store/jobs.ts'
import { abortOnDisconnect } from '../client-left.ts'
import type { ApiContext, App, CredentialOf } from '../context.ts'
import { presentJob } from '../present-job.ts'
import { pageOfJobs, readJob } from '../read-jobs.ts'
import { errorEnvelope, keyErrors } from '../schemas/errors.ts'
import { jobEnvelope, jobFilter, jobPage, jobParams, waitQuery } from '../schemas/job.ts'

/** `GET /v1/jobs/{job_id}` */
export function getJobRoute(app: App, context: ApiContext, credentialOf: CredentialOf): void {
  app.route({
    method: 'GET',
    url: '/v1/jobs/:job_id',
    schema: {
      operationId: 'getJob',
      tags: ['jobs'],
      summary: 'Get a job, or wait for its end',
      description:
        'With wait the answer is held until the job ends or the seconds are over. Repeat until status is completed or failed.',
      security: [{ ApiKey: [] }],
      params: jobParams,
      querystring: waitQuery,
      response: { ...keyErrors, 200: jobEnvelope, 404: errorEnvelope },
    },
    handler: async (request, reply) => {
      const reader = credentialOf(request)
      const { job_id: jobId } = request.params
      const job = await readJob(context, {
        reader,
        jobId,
        waitSeconds: request.query.wait,
        signal: abortOnDisconnect(reply),
      })
      if (!hasEnded(job)) reply.header('retry-after', 1)
      return { request_id: request.id, job_id: jobId, job: await presentJob(context, job) }
    },
  })
}

/** `GET /v1/jobs` */
export function listJobsRoute(app: App, context: ApiContext, credentialOf: CredentialOf): void {
  app.route({
    method: 'GET',
    url: '/v1/jobs',
    schema: {
      operationId: 'listJobs',
      tags: ['jobs'],
      summary: 'List jobs, newest first',
      security: [{ ApiKey: [] }],
      querystring: jobFilter.extend({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
      response: { ...keyErrors, 200: jobPage },
    },
    handler: async (request) => ({
      request_id: request.id,
      ...(await pageOfJobs(context, credentialOf(request), request.query)),
    }),
  })
}
