import { z } from 'zod'
import { getChain } from '../../../src/chains/chains.ts'
import { isId } from '../../../src/core/ids.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import type { JobWithOutputs } from '../../../src/store/jobs.ts'
import type { RunWithoutResults } from '../../../src/store/runs.ts'
import { readJob } from '../../jobs/read.ts'
import { readRun } from '../../runs/read.ts'
import { answerJob, answerRun, jobOrRunAnswer } from '../answers.ts'
import { defineTool, jobOrRunIdArgument, type KeyCall, lookUp } from '../define-tool.ts'

export const getJobTool = defineTool({
  name: 'get_job',
  title: 'Get a job or a run, or wait for its end',
  description:
    'Returns the state of a job, or of a run of svc.create_workflow_job. With wait_seconds, waits for its end. Repeat until the status is completed or failed, then call svc.get_job_result. With a progress token, reports progress while it waits.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({
    job_id: jobOrRunIdArgument,
    wait_seconds: z.number().min(0).max(60).default(0).describe('Seconds to wait for the end, at most.'),
  }),
  output: jobOrRunAnswer,
  run: async ({ job_id, wait_seconds: waitSeconds }, call) => {
    const { context, credential: reader, signal } = call
    const wait = { reader, waitSeconds, signal }
    const report = progressReporter(call)
    if (isId('run', job_id)) {
      const onRead = (run: RunWithoutResults) =>
        report({ fraction: progressOf(run), message: `${run.chain} is running` })
      return answerRun(context, await readRun(context, { ...wait, runId: job_id, onRead }))
    }
    const onRead = ({ progress: fraction, endpoint, status }: JobWithOutputs) =>
      report({ fraction, message: `${endpoint} is ${status}` })
    return answerJob(context, await readJob(context, { ...wait, jobId: job_id, onRead }))
  },
})

/** Reports only increases: the protocol requires progress to increase with each report. */
function progressReporter({ reportProgress }: KeyCall): KeyCall['reportProgress'] {
  let reported = -1
  return async (progress) => {
    if (progress.fraction <= reported) return
    reported = progress.fraction
    await reportProgress(progress)
  }
}

function progressOf({ chain, jobs }: RunWithoutResults): number {
  return jobs.reduce((sum, { progress }) => sum + progress, 0) / getChain(chain).steps.length
}
