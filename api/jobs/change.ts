import { deleteJob } from '../../src/jobs/delete.ts'
import { eraseJob } from '../../src/jobs/erase.ts'
import { requestCancellation } from '../../src/jobs/job-changes.ts'
import { findJob, hasEnded, type JobReader, type JobWithOutputs } from '../../src/jobs/job-rows.ts'
import { deliverCancellation } from '../../src/jobs/start-and-end.ts'
import type { ApiContext } from '../http/context.ts'
import { answerDeletion, deletion } from '../http/deletion.ts'
import { bodyErrors, errorEnvelope, keyErrors, keyRoute } from '../http/route.ts'
import { assertJobId, findJobWithResult, noSuchJob, refreshOutputs, withResult } from './read.ts'
import { jobEnvelope, jobParams, presentJob } from './schema.ts'

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
    params: jobParams,
    response: { ...bodyErrors, 200: jobEnvelope, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential }) => {
    const { job_id: jobId } = request.params
    const job = await refreshOutputs(context, credential, jobId)
    return { request_id: request.id, job_id: jobId, job: await presentJob(context, job) }
  },
})

export type CancelContext = Pick<ApiContext, 'db' | 'jobs' | 'logger' | 'metrics' | 'results' | 'slotLimits'>

/** Records the cancellation request, then notifies Temporal. An ended job does not change. Null if the reader cannot see the job. */
export async function cancelJob(
  context: CancelContext,
  reader: JobReader,
  jobId: string,
): Promise<JobWithOutputs | null> {
  const { db, logger } = context
  const job = await findJob(db, reader, jobId)
  if (!job) return null
  if (hasEnded(job)) return withResult(context, job)
  await requestCancellation(db, jobId)
  await deliverCancellation(context, jobId).catch((error: unknown) =>
    logger.warn({ jobId, accountId: job.accountId, err: error }, 'cancellation not delivered yet'),
  )
  return findJobWithResult(context, reader, jobId)
}

/** `DELETE /v1/jobs/{job_id}` */
export const deleteJobRoute = keyRoute({
  method: 'DELETE',
  url: '/v1/jobs/:job_id',
  schema: {
    operationId: 'deleteJob',
    tags: ['jobs'],
    summary: 'Delete a job with its result and its files',
    description:
      'From the response on, the job and its output URLs answer 404. An open job is canceled first, and costs nothing. A completed job stays charged and counts in the usage. Refused with 409 while another open job reads its output, and for a step of a run, which is deleted with its run.',
    params: jobParams,
    response: { ...keyErrors, 200: deletion, 202: deletion, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const jobId = assertJobId(request.params.job_id)
    const deleted = await context.createsByAccount(credential.accountId, () => deleteJob(context.db, credential, jobId))
    if (!deleted) throw noSuchJob()
    const { code, body } = await answerDeletion(context, { requestId: request.id, id: jobId }, async () => {
      if (deleted.isOpen) await deliverCancellation(context, jobId)
      return eraseJob(context, jobId)
    })
    return reply.code(code).send(body)
  },
})
