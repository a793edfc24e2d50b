import { z } from 'zod'
import { bindKey } from '../../http/idempotency-key.ts'
import { createJob } from '../../jobs/create.ts'
import { jobRequest } from '../../jobs/request-schema.ts'
import { answerJob, jobAnswer } from '../answers.ts'
import { defineTool } from '../define-tool.ts'
import { readMedia } from './annotations.ts'
import { retryKey } from './fields.ts'

export const createJobTool = defineTool({
  name: 'create_job',
  title: 'Create a job',
  description:
    'Runs one endpoint on one media, and spends money: at most what svc.estimate_cost says. Timeline endpoints take no media, only what other jobs found, and are free. Answers at once; svc.get_job waits for the end. Send an idempotency_key of your own, and the same one again when you retry. Settings: svc.get_endpoint_schema.',
  auth: 'key',
  annotations: { ...readMedia, readOnlyHint: false },
  input: jobRequest.extend({
    idempotency_key: retryKey.describe(
      'Makes a retry safe for 24 hours. Without one, the same job asked for again within two minutes is the first one while that is open.',
    ),
  }),
  output: jobAnswer.extend({
    deduplicated: z.boolean().describe('An earlier call made this job; nothing was spent now.'),
  }),
  run: async ({ idempotency_key: key, ...request }, { context, credential, requestId, log }) => {
    // As POST /v1/jobs binds it: a retry may come through either door.
    const idempotency = bindKey({ key, method: 'POST', path: '/v1/jobs', body: request })
    const created = await createJob(context, { credential, requestId, request, idempotency, dedupeOpenJob: true })
    if (!created.replayed) log.info({ jobId: created.job.id }, 'job accepted')
    const { structured, ...answer } = await answerJob(context, created.job)
    return { ...answer, structured: { ...structured, deduplicated: created.replayed } }
  },
})
