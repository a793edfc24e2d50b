import { z } from 'zod'
import type { JobWithOutputs } from '../../../src/store/jobs.ts'
import { bindKey } from '../../http/idempotency-key.ts'
import { createJob } from '../../jobs/create.ts'
import { jobRequestWith } from '../../jobs/request-schema.ts'
import { answerJob, jobAnswer } from '../answers.ts'
import { defineTool, lookUpOutside, retryKey } from '../define-tool.ts'
import { refusePlaceholders } from '../plan-calls.ts'

export const createJobTool = defineTool({
  name: 'create_job',
  title: 'Create a job that runs one endpoint',
  description:
    'Creates a job that runs one endpoint on one media file, for example cuts a clip, and spends money: at most what svc.check_job_readiness returns. Timeline endpoints read no media, only results of other jobs, and are free. Answers immediately; svc.get_job waits for the end. Send an idempotency_key, and repeat it when you retry. svc.get_endpoint_schema returns the settings.',
  auth: 'key',
  annotations: { ...lookUpOutside, readOnlyHint: false },
  input: jobRequestWith({
    idempotency_key: retryKey.describe(
      'Makes a retry safe for 24 hours. Without it, an equal request within two minutes returns the first job while that is open.',
    ),
  }),
  output: jobAnswer.extend({
    deduplicated: z.boolean().describe('An earlier call created this job; this call spent nothing.'),
  }),
  run: async ({ idempotency_key: key, ...request }, { context, credential, requestId, log }) => {
    refusePlaceholders(request)
    // Bound like POST /v1/jobs: a retry can come by REST or by this tool.
    const idempotency = bindKey({ key, method: 'POST', path: '/v1/jobs', body: request })
    const created = await createJob(context, { credential, requestId, request, idempotency, dedupeOpenJob: true })
    if (!created.isRepeat) log.info({ jobId: created.job.id }, 'job accepted')
    const { structured, text, ...answer } = await answerJob(context, created.job)
    const repeat = created.isRepeat ? ` ${describeRepeat(created.job)}` : ''
    return { ...answer, text: `${text}${repeat}`, structured: { ...structured, deduplicated: created.isRepeat } }
  },
})

function describeRepeat({ status }: Pick<JobWithOutputs, 'status'>): string {
  const advice = status === 'failed' ? ' To create another job, send another idempotency_key.' : ''
  return `An earlier call created this job.${advice}`
}
