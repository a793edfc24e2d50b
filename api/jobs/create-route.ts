import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasEnded } from '../../src/store/jobs.ts'
import { type IdempotentRequest, idempotencyKeyOf } from '../http/idempotency-key.ts'
import { abortOnDisconnect } from '../http/long-poll.ts'
import { type Call, keyRoute } from '../http/route.ts'
import { bodyErrors, errorEnvelope } from '../http/schemas.ts'
import { createJob } from './create.ts'
import { presentJob } from './present.ts'
import { readJob } from './read.ts'
import { idempotencyHeader, type JobRequest, jobRequest } from './request-schema.ts'
import { jobEnvelope, waitQuery } from './schema.ts'

/** With `_run_on_worker: false`. */
const directWaitSeconds = 25

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
      'The price is estimated and held before the work runs. Failed jobs cost nothing. An Idempotency-Key makes a retry safe. With wait, the response comes when the job ends or the seconds have passed.',
    security: [{ ApiKey: [] }],
    headers: idempotencyHeader,
    querystring: waitQuery,
    body: jobRequest,
    response: createJobResponses,
  },
  handler: async (request, call) => {
    const { status, headers, envelope } = await answerCreate(call, request, request.body, request.query.wait)
    return call.reply.code(status).headers(headers).send(envelope)
  },
})

/** Creates the job and answers with it: 200 if it has ended, otherwise 202. In both cases it waits as long as the request asks. */
export async function answerCreate(
  { context, credential, reply }: Call<'key'> & { readonly reply: Pick<FastifyReply, 'raw'> },
  request: Pick<FastifyRequest, 'id' | 'log'> & IdempotentRequest,
  body: JobRequest,
  askedSeconds = 0,
) {
  const idempotency = idempotencyKeyOf(request)
  const created = await createJob(context, { credential, requestId: request.id, request: body, idempotency })
  const { id: jobId } = created.job
  if (!created.isRepeat) request.log.info({ jobId }, 'job accepted')

  const waitSeconds = Math.max(askedSeconds, created.answersImmediately ? 0 : directWaitSeconds)
  const wait = { reader: credential, jobId, waitSeconds, signal: abortOnDisconnect(reply) }
  const job = waitSeconds === 0 ? created.job : await readJob(context, wait)
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
