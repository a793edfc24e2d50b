import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasEnded } from '../../src/store/jobs.ts'
import { abortOnDisconnect } from '../client-left.ts'
import type { ApiContext, App, CredentialOf } from '../context.ts'
import { createJob } from '../create-job.ts'
import { type IdempotentRequest, idempotencyKeyOf } from '../idempotency-key.ts'
import { presentJob } from '../present-job.ts'
import { bodyErrors, errorEnvelope } from '../schemas/errors.ts'
import { jobEnvelope } from '../schemas/job.ts'
import { idempotencyHeader, type JobRequest, jobRequest } from '../schemas/job-request.ts'
import { waitForEnd } from '../wait-for-end.ts'

const heldMilliseconds = 25_000

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
export function createJobRoute(app: App, context: ApiContext, credentialOf: CredentialOf): void {
  app.route({
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
    handler: async (request, reply) => {
      const { status, headers, envelope } = await answerCreate(context, credentialOf, request, reply, request.body)
      return reply.code(status).headers(headers).send(envelope)
    },
  })
}

/** Creates the job and answers with it: 200 when it has ended, else 202. Holds the answer where the request asks for it. */
export async function answerCreate(
  context: ApiContext,
  credentialOf: CredentialOf,
  request: Pick<FastifyRequest, 'id' | 'log'> & IdempotentRequest,
  reply: Pick<FastifyReply, 'raw'>,
  body: JobRequest,
) {
  const credential = credentialOf(request)
  const idempotency = idempotencyKeyOf(request)
  const created = await createJob(context, { credential, requestId: request.id, request: body, idempotency })
  const { id: jobId } = created.job
  if (!created.replayed) request.log.info({ jobId }, 'job accepted')

  const wait = { reader: credential, jobId, milliseconds: heldMilliseconds, signal: abortOnDisconnect(reply) }
  const job = (created.runOnWorker ? null : await waitForEnd(context, wait)) ?? created.job
  const ended = hasEnded(job)
  return {
    status: ended ? (200 as const) : (202 as const),
    headers: {
      location: `${context.config.BASE_URL}/v1/jobs/${jobId}`,
      ...(ended ? {} : { 'retry-after': 1 }),
      ...(created.replayed ? { 'idempotent-replayed': 'true' } : {}),
    },
    envelope: { request_id: request.id, job_id: jobId, job: await presentJob(context, job) },
  }
}
