import { hasEnded } from '../../src/store/jobs.ts'
import { cancelJob } from '../cancel-job.ts'
import type { ApiContext, App, CredentialOf } from '../context.ts'
import { presentJob } from '../present-job.ts'
import { assertJobId, noSuchJob } from '../read-jobs.ts'
import { refreshOutputs } from '../refresh-outputs.ts'
import { bodyErrors, errorEnvelope } from '../schemas/errors.ts'
import { jobEnvelope, jobParams } from '../schemas/job.ts'

/** `POST /v1/jobs/{job_id}/cancel` */
export function cancelJobRoute(app: App, context: ApiContext, credentialOf: CredentialOf): void {
  app.route({
    method: 'POST',
    url: '/v1/jobs/:job_id/cancel',
    schema: {
      operationId: 'cancelJob',
      tags: ['jobs'],
      summary: 'Cancel a job',
      description:
        'A canceled job ends as failed with the code canceled and costs nothing. A job that has ended stays as it is.',
      security: [{ ApiKey: [] }],
      params: jobParams,
      response: {
        ...bodyErrors,
        200: jobEnvelope,
        202: jobEnvelope,
        404: errorEnvelope,
      },
    },
    handler: async (request, reply) => {
      const job = await cancelJob(context, credentialOf(request), assertJobId(request.params.job_id))
      if (!job) throw noSuchJob()
      if (!hasEnded(job)) reply.header('retry-after', 1)
      return reply
        .code(hasEnded(job) ? 200 : 202)
        .send({ request_id: request.id, job_id: job.id, job: await presentJob(context, job) })
    },
  })
}

/** `POST /v1/jobs/{job_id}/outputs/refresh` */
export function refreshOutputsRoute(app: App, context: ApiContext, credentialOf: CredentialOf): void {
  app.route({
    method: 'POST',
    url: '/v1/jobs/:job_id/outputs/refresh',
    schema: {
      operationId: 'refreshOutputs',
      tags: ['jobs'],
      summary: 'Get fresh output URLs of a completed job',
      description: 'Signs the URLs of the stored files anew, without running the job again and at no cost.',
      security: [{ ApiKey: [] }],
      params: jobParams,
      response: { ...bodyErrors, 200: jobEnvelope, 404: errorEnvelope, 409: errorEnvelope },
    },
    handler: async (request) => {
      const { job_id: jobId } = request.params
      const job = await refreshOutputs(context, credentialOf(request), jobId)
      return { request_id: request.id, job_id: jobId, job: await presentJob(context, job) }
    },
  })
}
