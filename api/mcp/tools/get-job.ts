import { z } from 'zod'
import type { JobWithOutputs } from '../../../src/store/jobs.ts'
import { readJob } from '../../read-jobs.ts'
import { answerJob, jobAnswer } from '../answer-job.ts'
import { defineTool, type KeyCall } from '../define-tool.ts'
import { lookUp } from './annotations.ts'

export const jobId = z.string().max(100).describe('An id such as job_…, from svc.create_job or svc.list_jobs.')

export const getJob = defineTool({
  name: 'get_job',
  title: 'Get a job, or wait for its end',
  description:
    'Tells how a job is, and with wait_seconds waits for its end. Repeat until status is completed or failed; then svc.get_job_result. With a progress token it reports progress meanwhile.',
  auth: 'key',
  annotations: lookUp,
  input: z.strictObject({
    job_id: jobId,
    wait_seconds: z.number().min(0).max(60).default(0).describe('How long to wait for the end at most.'),
  }),
  output: jobAnswer,
  run: async ({ job_id, wait_seconds: waitSeconds }, call) => {
    const { context, credential: reader, signal } = call
    const job = await readJob(context, { reader, jobId: job_id, waitSeconds, signal, onRead: progressTeller(call) })
    return answerJob(context, job)
  },
})

/** Tells each step forward once: progress of the protocol never stands still. */
function progressTeller({ reportProgress }: KeyCall): (job: JobWithOutputs) => Promise<void> {
  let told = -1
  return async ({ progress, status, endpoint }) => {
    if (progress <= told) return
    told = progress
    await reportProgress({ fraction: progress, message: `${endpoint} is ${status}` })
  }
}
