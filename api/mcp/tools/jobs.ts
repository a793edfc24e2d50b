import { z } from 'zod'
import { assertCanHold, provisionalHoldMicroUsd } from '../../../src/billing/holds.ts'
import { maxPriceOf } from '../../../src/billing/price.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { isId } from '../../../src/core/ids.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { fromUsd, maxMicroUsd } from '../../../src/core/money.ts'
import { counted } from '../../../src/core/text.ts'
import { exampleMediaUrl } from '../../../src/endpoints/catalog.ts'
import { hasEnded, type JobWithOutputs } from '../../../src/jobs/job-rows.ts'
import { assertScope } from '../../http/authenticate.ts'
import { bindKey } from '../../http/idempotency-key.ts'
import { cancelJob } from '../../jobs/change.ts'
import { createJob } from '../../jobs/create.ts'
import { type Estimate, estimatePrice, estimateRequest, estimateSchema, presentEstimate } from '../../jobs/estimate.ts'
import { assertJobId, noSuchJob } from '../../jobs/read.ts'
import { jobRequestWith, maxJobPrice, validateJobRequest } from '../../jobs/validate.ts'
import { cancelRun } from '../../runs/routes.ts'
import { answerJob, answerRun, describeWarnings, jobAnswer, jobOrRunAnswer } from '../answers.ts'
import {
  addOutside,
  definePublicTool,
  defineTool,
  endpointIdArgument,
  inTools,
  jobOrRunIdArgument,
  lookUp,
  lookUpOutside,
  replace,
  retryKey,
} from '../define-tool.ts'
import { refusePlaceholders } from './plan-integration.ts'
import { check, checkSchema, describeChecks } from './run-agent-diagnostics.ts'

/** Of arguments that their name or the description of the tool explains. */
const untold = { description: undefined }

export const createJobTool = defineTool({
  name: 'create_job',
  title: 'Create a job that runs one endpoint',
  description:
    'Creates a job that runs one endpoint on one media file, for example cuts a clip, and spends money: at most what svc.check_job_readiness returns. Timeline endpoints read no media, only results of other jobs, and are free. Answers immediately; svc.get_job waits for the end. Send an idempotency_key, and repeat it when you retry. svc.get_endpoint_schema returns the settings.',
  auth: 'key',
  annotations: addOutside,
  input: jobRequestWith({
    max_price_usd: maxJobPrice.meta(untold),
    idempotency_key: retryKey.describe(
      'Makes a retry safe for 24 hours. Without it, an equal request within two minutes returns the first job while that is open.',
    ),
  }),
  example: { endpoint: 'audio/detect-silence', media_url: exampleMediaUrl },
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
    const task = hasEnded(created.job) ? undefined : created.job.id
    return { ...answer, task, text: `${text}${repeat}`, structured: { ...structured, deduplicated: created.isRepeat } }
  },
})

function describeRepeat({ status }: Pick<JobWithOutputs, 'status'>): string {
  const advice = status === 'failed' ? ' To create another job, send another idempotency_key.' : ''
  return `An earlier call created this job.${advice}`
}

const namedEndpoint = estimateRequest.shape.endpoint.meta(endpointIdArgument)

const { media_url, start, end, settings, metadata } = estimateRequest.shape
export const checkJobReadinessTool = defineTool({
  name: 'check_job_readiness',
  title: 'Check a job before spending',
  description:
    'Takes the arguments of svc.create_job, and returns whether that job could run and what it would cost at most. Checks settings and scope, reads the media, and compares the price with credits and cap. Spends nothing.',
  auth: 'key',
  annotations: lookUpOutside,
  input: jobRequestWith({
    ...{ endpoint: namedEndpoint, idempotency_key: z.string().optional(), max_price_usd: maxJobPrice.meta(untold) },
    ...{ media_url: media_url.meta(untold), start: start.meta(untold), end: end.meta(untold) },
    ...{ settings: settings.meta(untold), metadata: metadata.meta(untold) },
  }),
  example: { endpoint: 'audio/detect-silence', media_url: exampleMediaUrl },
  output: z.object({
    ready: z.boolean(),
    checks: z.array(checkSchema).describe('In order; the first failed check is the last.'),
    estimate: estimateSchema.optional(),
  }),
  run: async ({ idempotency_key: _key, max_price_usd: limit, ...request }, { context, credential, signal, named }) => {
    let estimate: Estimate | undefined
    let heldAtCreate = provisionalHoldMicroUsd
    const steps: Record<string, () => Promise<string>> = {
      request: async () => {
        refusePlaceholders(request)
        assertScope(credential, request.endpoint)
        const { endpoint, window, settings } = validateJobRequest(request, context.models)
        heldAtCreate = maxPriceOf(endpoint, { window, settings, mediaSeconds: undefined })?.microUsd ?? heldAtCreate
        return 'The endpoint accepts the settings, and the scope covers it.'
      },
      media: async () => {
        estimate = await estimatePrice(context, { request, credential, signal })
        return estimate.assumptions[0] ?? 'The length of the media is known.'
      },
      funds: async () => {
        const price = estimate?.maxPrice.microUsd ?? 0n
        if (limit !== undefined && price > fromUsd(limit)) throw new ServiceError('price_limit_reached')
        await assertCanHold(context.db, credential, maxMicroUsd(heldAtCreate, price))
        return 'Credits, billing and cap cover the price.'
      },
    }
    const checks = []
    for (const [name, work] of Object.entries(steps)) {
      const checked = await check(name, work, (message) => named(withoutLength(message)))
      checks.push(checked)
      if (!checked.ok) break
    }
    const ready = checks.every(({ ok }) => ok)
    const presented = estimate && presentEstimate(estimate)
    const text = ready
      ? `Ready: at most ${presented?.estimated_price_usd} USD.${lengthOf(presented)}${describeWarnings(presented?.warnings)} Next: svc.create_job with the same arguments.`
      : `Not ready:\n${describeChecks(checks)}`
    return { structured: { ready, checks, ...(presented ? { estimate: presented } : {}) }, text }
  },
})

/** A message of estimates, which take the length of the media, for a tool that takes none. */
function withoutLength(message: string): string {
  const own = message
    .replace('Send media_seconds. To have the media read, send media_url with an API key.', 'Send media_url.')
    .replace('Send media_seconds', 'Call svc.estimate_cost with media_seconds')
    .replace('send media_seconds', 'call svc.estimate_cost with media_seconds')
  return inTools(own)
}

function lengthOf({ media_seconds: seconds }: Partial<ReturnType<typeof presentEstimate>> = {}): string {
  return seconds === undefined ? '' : ` The media has ${seconds} seconds.`
}

const { media_url: _, ...fields } = estimateRequest.shape

export const estimateCostTool = definePublicTool({
  name: 'estimate_cost',
  title: 'Estimate the price of a job',
  description:
    'Returns how much a job would cost at most, for a media length in seconds. Reads no media and spends nothing. Needs endpoint, its required settings, and media_seconds, unless start and end give the length. Timeline endpoints read no media and cost nothing. To read the media first, call svc.check_job_readiness.',
  annotations: lookUp,
  input: strictFields({ ...fields, endpoint: namedEndpoint }),
  example: { endpoint: 'audio/detect-silence', media_seconds: 60 },
  output: estimateSchema,
  run: async (request, { context, signal }) => {
    const estimate = presentEstimate(await estimatePrice(context, { request, credential: undefined, signal }))
    return {
      structured: estimate,
      text: `At most ${estimate.estimated_price_usd} USD for ${counted(estimate.billable_seconds, 'second')}. Failed jobs cost nothing.${describeWarnings(estimate.warnings)} Next: svc.check_job_readiness with the media, or svc.create_job.`,
    }
  },
})

export const cancelJobTool = defineTool({
  name: 'cancel_job',
  title: 'Cancel a job or a run',
  description:
    'Stops a job, or a run with its open job, before it finishes. A canceled job costs nothing, and ends as failed, with the code canceled. Completed steps of a run stay charged. This cannot be undone. A job or run that has ended does not change.',
  auth: 'key',
  annotations: replace,
  input: strictFields({ job_id: jobOrRunIdArgument }),
  example: { job_id: 'job_…' },
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
