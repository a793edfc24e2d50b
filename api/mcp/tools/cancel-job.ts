import { isId } from '../../../src/core/ids.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { cancelJob } from '../../jobs/cancel.ts'
import { assertJobId, noSuchJob } from '../../jobs/read.ts'
import { cancelRun } from '../../runs/cancel.ts'
import { answerJob, answerRun, jobOrRunAnswer } from '../answers.ts'
import { defineTool, jobOrRunIdArgument, replace } from '../define-tool.ts'

export const cancelJobTool = defineTool({
  name: 'cancel_job',
  title: 'Cancel a job or a run',
  description:
    'Stops a job, or a run with its open job, before it finishes. A canceled job costs nothing, and ends as failed, with the code canceled. Completed steps of a run stay charged. This cannot be undone. A job or run that has ended does not change.',
  auth: 'key',
  annotations: replace,
  input: strictFields({ job_id: jobOrRunIdArgument }),
  output: jobOrRunAnswer,
  run: async ({ job_id }, { context, credential }) => {
    if (isId('run', job_id)) {
      return answerRun(context, await cancelRun(context, credential, job_id))
    }
    const job = await cancelJob(context, credential, assertJobId(job_id))
    if (!job) throw noSuchJob()
    return answerJob(context, job)
  },
})
