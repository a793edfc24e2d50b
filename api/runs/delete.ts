import { deleteRun } from '../../src/deletion/delete-run.ts'
import { eraseJob, eraseRun } from '../../src/deletion/erase.ts'
import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { hasEnded } from '../../src/store/jobs.ts'
import { answerDeletion, deletion } from '../http/deletion.ts'
import { keyRoute } from '../http/route.ts'
import { errorEnvelope, keyErrors } from '../http/schemas.ts'
import { cancelWorkflow } from './cancel.ts'
import { findOwnRun, noSuchRun } from './read.ts'
import { runParams } from './schema.ts'

/** `DELETE /v1/workflow-runs/{run_id}` */
export const deleteRunRoute = keyRoute({
  method: 'DELETE',
  url: '/v1/workflow-runs/:run_id',
  schema: {
    operationId: 'deleteWorkflowRun',
    tags: ['workflows'],
    summary: 'Delete a run with its jobs, their results and their files',
    description:
      'From the response on, the run, its jobs and their output URLs answer 404. An open run is canceled first. Completed steps stay charged and count in the usage. Refused with 409 while an open job outside the run reads an output of it.',
    security: [{ ApiKey: [] }],
    params: runParams,
    response: { ...keyErrors, 200: deletion, 202: deletion, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const run = await findOwnRun(context, credential, request.params.run_id)
    const { id } = run
    if (!(await deleteRun(context.db, credential.accountId, id))) throw noSuchRun()
    const { code, body } = await answerDeletion(context, { requestId: request.id, id }, async () => {
      for (const { id: jobId } of run.jobs.filter((job) => !hasEnded(job))) await deliverCancellation(context, jobId)
      if (!run.endedAt) await cancelWorkflow(context, run)
      for (const { id: jobId } of run.jobs) await eraseJob(context, jobId)
      return eraseRun(context, id)
    })
    return reply.code(code).send(body)
  },
})
