import { hasEnded } from '../../src/store/jobs.ts'
import { abortOnDisconnect } from '../http/long-poll.ts'
import { pageLimit } from '../http/pages.ts'
import { keyRoute } from '../http/route.ts'
import { errorEnvelope, keyErrors } from '../http/schemas.ts'
import { presentJob, presentJobPage } from './present.ts'
import { pageOfJobs, readJob } from './read.ts'
import { getJobQuery, jobEnvelope, jobFilter, jobPage, jobParams } from './schema.ts'

/** `GET /v1/jobs/{job_id}` */
export const getJobRoute = keyRoute({
  method: 'GET',
  url: '/v1/jobs/:job_id',
  schema: {
    operationId: 'getJob',
    tags: ['jobs'],
    summary: 'Get a job, or wait for its end',
    description:
      'With wait, the response comes when the job ends or the seconds have passed. Repeat it until status is completed or failed. With limit, the lists of the result come in pages.',
    security: [{ ApiKey: [] }],
    params: jobParams,
    querystring: getJobQuery,
    response: { ...keyErrors, 200: jobEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { job_id: jobId } = request.params
    const { wait: waitSeconds, ...query } = request.query
    const job = await readJob(context, { reader: credential, jobId, waitSeconds, signal: abortOnDisconnect(reply) })
    if (!hasEnded(job)) reply.header('retry-after', 1)
    const isPaged = Object.values(query).some((value) => value !== undefined)
    const body = isPaged ? await presentJobPage(context, job, query) : { job: await presentJob(context, job) }
    return { request_id: request.id, job_id: jobId, ...body }
  },
})

/** `GET /v1/jobs` */
export const listJobsRoute = keyRoute({
  method: 'GET',
  url: '/v1/jobs',
  schema: {
    operationId: 'listJobs',
    tags: ['jobs'],
    summary: 'List jobs, newest first',
    security: [{ ApiKey: [] }],
    querystring: jobFilter.extend({ limit: pageLimit }),
    response: { ...keyErrors, 200: jobPage },
  },
  handler: async (request, { context, credential }) => ({
    request_id: request.id,
    ...(await pageOfJobs(context, credential, request.query)),
  }),
})
