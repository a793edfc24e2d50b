import { ServiceError } from '../../src/core/errors.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { findJob, hasEnded, type JobWithOutputs } from '../../src/store/jobs.ts'
import { cancelJob } from '../cancel-job.ts'
import type { ApiContext, App, CredentialOf } from '../context.ts'
import { presentJob } from '../present-job.ts'
import { bodyErrors, errorEnvelope } from '../schemas/errors.ts'
import { jobEnvelope, jobParams } from '../schemas/job.ts'
import { knownForm, noSuchJob } from './read-jobs.ts'

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
      const job = await cancelJob(context, credentialOf(request), knownForm(request.params.job_id))
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
      const jobId = knownForm(request.params.job_id)
      const job = await findJob(context.db, credentialOf(request), jobId)
      if (!job) throw noSuchJob()
      await assertOutputsAreThere(context.storage, job)
      return { request_id: request.id, job_id: jobId, job: await presentJob(context, job) }
    },
  })
}

async function assertOutputsAreThere(storage: Storage, { id: jobId, status, outputs }: JobWithOutputs): Promise<void> {
  if (status !== 'completed') {
    throw new ServiceError('conflict', `This job is ${status}. Only a completed job has outputs.`, { jobId })
  }
  const objects = await Promise.all(outputs.map(({ objectKey }) => storage.stat(objectKey)))
  if (objects.includes(undefined)) {
    throw new ServiceError('not_found', 'The files of this job are not kept any more. Run the job again.', { jobId })
  }
}
