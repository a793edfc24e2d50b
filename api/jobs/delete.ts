import { deleteJob } from '../../src/deletion/delete-job.ts'
import { eraseJob } from '../../src/deletion/erase.ts'
import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { answerDeletion, deletion } from '../http/deletion.ts'
import { keyRoute } from '../http/route.ts'
import { errorEnvelope, keyErrors } from '../http/schemas.ts'
import { assertJobId, noSuchJob } from './read.ts'
import { jobParams } from './schema.ts'

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
    security: [{ ApiKey: [] }],
    params: jobParams,
    response: { ...keyErrors, 200: deletion, 202: deletion, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const jobId = assertJobId(request.params.job_id)
    const deleted = await deleteJob(context.db, credential, jobId)
    if (!deleted) throw noSuchJob()
    const { code, body } = await answerDeletion(context, { requestId: request.id, id: jobId }, async () => {
      if (deleted.isOpen) await deliverCancellation(context, jobId)
      return eraseJob(context, jobId)
    })
    return reply.code(code).send(body)
  },
})
