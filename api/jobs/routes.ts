import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasEnded } from '../../src/store/jobs.ts'
import { type IdempotentRequest, idempotencyKeyOf } from '../http/idempotency-key.ts'
import { abortOnDisconnect } from '../http/long-poll.ts'
import { pageLimit } from '../http/pages.ts'
import { type Call, keyRoute } from '../http/route.ts'
import { bodyErrors, errorEnvelope, keyErrors } from '../http/schemas.ts'
import { cancelJob } from './cancel.ts'
import { createJob } from './create.ts'
import { presentJob } from './present.ts'
import { assertJobId, noSuchJob, pageOfJobs, readJob, refreshOutputs } from './read.ts'
import { idempotencyHeader, type JobRequest, jobRequest } from './request-schema.ts'
import { jobEnvelope, jobFilter, jobPage, jobParams, waitQuery } from './schema.ts'

const heldSeconds = 25

export const createJobResponses = {
  ...bodyErrors,
  200: jobEnvelope,
  202: jobEnvelope,
  402: errorEnvelope,
  403: errorEnvelope,
  404: errorEnvelope,
  409: errorEnvelope,
  501: errorEnvelope,
}

/** `POST /v1/jobs` */
export const createJobRoute = keyRoute({
  method: 'POST',
  url: '/v1/jobs',
  schema: {
    operationId: 'createJob',
    tags: ['jobs'],
    summary: 'Create a job',
    description:
      'The price is estimated and held before the work runs. Failed jobs cost nothing. An Idempotency-Key makes a retry safe.',
    security: [{ ApiKey: [] }],
    headers: idempotencyHeader,
    body: jobRequest,
    response: createJobResponses,
  },
  handler: async (request, call) => {
    const { status, headers, envelope } = await answerCreate(call, request, request.body)
    return call.reply.code(status).headers(headers).send(envelope)
  },
})

/** Creates the job and answers with it: 200 if it has ended, otherwise 202. Waits for the end if the request asks for it. */
export async function answerCreate(
  { context, credential, reply }: Call<'key'> & { readonly reply: Pick<FastifyReply, 'raw'> },
  request: Pick<FastifyRequest, 'id' | 'log'> & IdempotentRequest,
  body: JobRequest,
) {
  const idempotency = idempotencyKeyOf(request)
  const created = await createJob(context, { credential, requestId: request.id, request: body, idempotency })
  const { id: jobId } = created.job
  if (!created.isRepeat) request.log.info({ jobId }, 'job accepted')

  const wait = { reader: credential, jobId, waitSeconds: heldSeconds, signal: abortOnDisconnect(reply) }
  const job = created.runOnWorker ? created.job : await readJob(context, wait)
  const ended = hasEnded(job)
  return {
    status: ended ? (200 as const) : (202 as const),
    headers: {
      location: `${context.config.BASE_URL}/v1/jobs/${jobId}`,
      ...(ended ? {} : { 'retry-after': 1 }),
      ...(created.isRepeat ? { 'idempotent-replayed': 'true' } : {}),
    },
    envelope: { request_id: request.id, job_id: jobId, job: await presentJob(context, job) },
  }
}

/** `GET /v1/jobs/{job_id}` */
export const getJobRoute = keyRoute({
  method: 'GET',
  url: '/v1/jobs/:job_id',
  schema: {
    operationId: 'getJob',
    tags: ['jobs'],
    summary: 'Get a job, or wait for its end',
    description:
      'With wait, the request answers when the job ends or the seconds have passed. Repeat it until status is completed or failed.',
    security: [{ ApiKey: [] }],
    params: jobParams,
    querystring: waitQuery,
    response: { ...keyErrors, 200: jobEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { job_id: jobId } = request.params
    const job = await readJob(context, {
      reader: credential,
      jobId,
      waitSeconds: request.query.wait,
      signal: abortOnDisconnect(reply),
    })
    if (!hasEnded(job)) reply.header('retry-after', 1)
    return { request_id: request.id, job_id: jobId, job: await presentJob(context, job) }
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

/** `POST /v1/jobs/{job_id}/cancel` */
export const cancelJobRoute = keyRoute({
  method: 'POST',
  url: '/v1/jobs/:job_id/cancel',
  schema: {
    operationId: 'cancelJob',
    tags: ['jobs'],
    summary: 'Cancel a job',
    description:
      'A canceled job ends as failed with the code canceled, and costs nothing. A job that has ended does not change.',
    security: [{ ApiKey: [] }],
    params: jobParams,
    response: {
      ...bodyErrors,
      200: jobEnvelope,
      202: jobEnvelope,
      404: errorEnvelope,
    },
  },
  handler: async (request, { context, credential, reply }) => {
    const job = await cancelJob(context, credential, assertJobId(request.params.job_id))
    if (!job) throw noSuchJob()
    if (!hasEnded(job)) reply.header('retry-after', 1)
    return reply
      .code(hasEnded(job) ? 200 : 202)
      .send({ request_id: request.id, job_id: job.id, job: await presentJob(context, job) })
  },
})

/** `POST /v1/jobs/{job_id}/outputs/refresh` */
export const refreshOutputsRoute = keyRoute({
  method: 'POST',
  url: '/v1/jobs/:job_id/outputs/refresh',
  schema: {
    operationId: 'refreshOutputs',
    tags: ['jobs'],
    summary: 'Get new output URLs for a completed job',
    description: 'Signs new URLs for the stored files. The job does not run again, and the call costs nothing.',
    security: [{ ApiKey: [] }],
    params: jobParams,
    response: { ...bodyErrors, 200: jobEnvelope, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential }) => {
    const { job_id: jobId } = request.params
    const job = await refreshOutputs(context, credential, jobId)
    return { request_id: request.id, job_id: jobId, job: await presentJob(context, job) }
  },
})
