import { hasEnded } from '../../src/store/jobs.ts'
import { keyRoute } from '../http/route.ts'
import { bodyErrors, errorEnvelope } from '../http/schemas.ts'
import { cancelJob } from './cancel.ts'
import { presentJob } from './present.ts'
import { assertJobId, noSuchJob, refreshOutputs } from './read.ts'
import { jobEnvelope, jobParams } from './schema.ts'

/** `POST /v1/jobs/{job_id}/cancel` */
export const cancelJobRoute = keyRoute({
  method: 'POST',
  url: '/v1/jobs/:job_id/cancel',
  schema: {
    operationId: 'cancelJob',
    tags: ['jobs'],
    summary: 'Cancel a job',
    description:
      'The job has status_detail canceling until it ends: as failed, with the code canceled, at no cost. A job that has ended does not change.',
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
