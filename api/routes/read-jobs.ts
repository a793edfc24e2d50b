import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { hasEnded, listJobs } from '../../src/store/jobs.ts'
import type { ApiContext, App, CredentialOf } from '../context.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { presentJob, presentJobSummary } from '../present-job.ts'
import { errorEnvelope, keyErrors } from '../schemas/errors.ts'
import { jobEnvelope, jobPage, jobParams, jobStatuses } from '../schemas/job.ts'
import { endpointIds } from '../schemas/job-request.ts'
import { waitForEnd } from '../wait-for-end.ts'

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
      querystring: z.object({
        wait: z.coerce.number().min(0).max(60).default(0).describe('Seconds to hold the answer while the job runs.'),
      }),
      response: { ...keyErrors, 200: jobEnvelope, 404: errorEnvelope },
    },
    handler: async (request, reply) => {
      const reader = credentialOf(request)
      const jobId = knownForm(request.params.job_id)
      const milliseconds = request.query.wait * 1000
      const job = await waitForEnd(context, { reader, jobId, milliseconds, signal: request.signal })
      if (!job) throw noSuchJob()
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
      querystring: z.object({
        status: z.enum(jobStatuses).optional(),
        endpoint: z.enum(endpointIds).optional(),
        limit: z.coerce.number().int().min(1).max(100).default(20),
        cursor: z.string().max(200).optional().describe('next_cursor of the page before.'),
      }),
      response: { ...keyErrors, 200: jobPage },
    },
    handler: async (request) => {
      const { limit, cursor, ...filter } = request.query
      const after = cursor === undefined ? undefined : decodeCursor(cursor)
      // One more than asked for tells whether there is a next page.
      const found = await listJobs(context.db, credentialOf(request), { limit: limit + 1, after, filter })
      const jobs = found.slice(0, limit)
      const last = found.length > limit ? jobs.at(-1) : undefined
      return {
        request_id: request.id,
        jobs: jobs.map((job) => presentJobSummary(context, job)),
        ...(last ? { next_cursor: encodeCursor(last) } : {}),
      }
    },
  })
}

/** A malformed id is as unknown as any other. */
export function knownForm(jobId: string): string {
  if (!isId('job', jobId)) throw noSuchJob()
  return jobId
}

export function noSuchJob(): ServiceError {
  return new ServiceError('not_found', 'There is no such job in this account. Check the job id.')
}
