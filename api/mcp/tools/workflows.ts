import { z } from 'zod'
import { type Chain, chains, getChain, isLiveChain } from '../../../src/chains/chains.ts'
import { settingsByStep, stepRequest } from '../../../src/chains/step-request.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import type { JobWithOutputs } from '../../../src/jobs/job-rows.ts'
import { resolveMediaOf } from '../../../src/jobs/resolve-media.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { bindKey } from '../../http/idempotency-key.ts'
import { createJob } from '../../jobs/create.ts'
import { findJobOnMedia } from '../../jobs/read.ts'
import { presentWindow } from '../../jobs/schema.ts'
import { requestWindow } from '../../jobs/validate.ts'
import { assertRunnable, checkStep } from '../../runs/plan.ts'
import { presentWorkflow } from '../../runs/read.ts'
import { runPlan, runRequest, workflow } from '../../runs/schema.ts'
import { placeOfSetting, runWorkflow, type WorkflowAnswer } from '../../runs/start.ts'
import { answerJob, completedJob, describeRun, toolJob, toolRun } from '../answers.ts'
import {
  addOutside,
  definePublicTool,
  defineTool,
  jobIdArgument,
  type KeyCall,
  lookUp,
  retryKey,
  workflowIdArgument,
} from '../define-tool.ts'
import { refusePlaceholders } from './plan-integration.ts'

/** Agents wait instead: the list of tools has no room for more. */
const { callback_url: _, ...runFields } = runRequest.shape

export const createWorkflowJobTool = defineTool({
  name: 'create_workflow_job',
  title: 'Plan or run a chain',
  description:
    'Plans a chain of svc.list_workflows, with a maximum price for each step and in all. Mode plan spends nothing. Mode queue_first queues the first job; go on with svc.continue_workflow_job. Mode run_all runs every step under one price limit; wait with svc.get_job and the id of the run. With queue_first and run_all, send an idempotency_key, and repeat it when you retry.',
  auth: 'key',
  annotations: addOutside,
  app: 'shown',
  input: strictFields(
    { workflow_id: workflowIdArgument, ...runFields, idempotency_key: retryKey },
    { placeOf: placeOfSetting },
  ),
  example: { workflow_id: 'remove-dead-space', media_seconds: 60 },
  output: z.object({
    plan: z.object(runPlan.shape).optional().describe('Left out when an earlier call created the run or the job.'),
    job: toolJob.optional().describe('With queue_first: the first job.'),
    run: toolRun.optional().describe('With run_all. The last step has the result.'),
    deduplicated: z.boolean().describe('An earlier call created it; this call spent nothing.'),
  }),
  run: async (
    { workflow_id, idempotency_key: key, ...request },
    { context, credential, requestId, signal, asksUser },
  ) => {
    refusePlaceholders(request)
    const chain = getChain(workflow_id)
    // Bound like the REST route: a retry can come by REST or by this tool.
    const idempotency = bindKey({ key, method: 'POST', path: `/v1/workflows/${chain.id}/runs`, body: request })
    const input = { chain, request, credential, requestId, idempotency, signal, asksConsent: asksUser }
    const { isRepeat, hasEnded, answer } = await runWorkflow(context, input)
    const task = hasEnded ? undefined : answer.run?.id
    return { structured: { ...answer, deduplicated: isRepeat }, text: describe(answer), task }
  },
})

function describe({ plan, job, run }: WorkflowAnswer): string {
  if (run) return describeRun(run)
  const price = `At most ${plan?.max_price_usd} USD for all steps.`
  if (job)
    return `${price} Job ${job.id} is queued. Next: svc.get_job until it has ended, then svc.continue_workflow_job.`
  return `${price} Nothing was queued. Next: the same arguments with mode run_all or queue_first.`
}

const record = z.record(z.string(), z.unknown())

export const continueWorkflowJobTool = defineTool({
  name: 'continue_workflow_job',
  title: 'Continue a chain',
  description:
    'Takes a completed job of a chain and suggests the next step, with the settings that follow from its result. With queue, creates that job, which spends at most what svc.check_job_readiness returns. A run started with run_all continues by itself.',
  auth: 'key',
  annotations: addOutside,
  input: strictFields({
    job_id: jobIdArgument,
    workflow_id: workflowIdArgument.optional().meta({
      enum: undefined,
      description: 'When left out, a live chain that begins with such a step, otherwise the first that has one.',
    }),
    media_url: requestWindow.media_url.describe(
      'The media of the next step. With queue, that of the earlier jobs when left out.',
    ),
    earlier_job_ids: z
      .array(jobIdArgument)
      .max(4)
      .default([])
      .describe('Completed jobs of the steps before job_id, for a step that uses several results.'),
    settings: record.default({}).describe('Further settings of the next step, without those that the chain sets.'),
    queue: z.boolean().default(false).describe('false: only suggest the job.'),
    idempotency_key: retryKey,
  }),
  example: { job_id: 'job_…' },
  output: z.object({
    workflow_id: z.string(),
    next: record.optional().describe('Arguments for svc.create_job. Left out after the last step.'),
    job: toolJob.optional().describe('With queue: the job of the next step.'),
    deduplicated: z.boolean().optional().describe('With queue: an earlier call created the job.'),
  }),
  run: async ({ job_id, workflow_id, media_url, settings: given, queue, ...input }, call) => {
    const { context, credential, requestId } = call
    const before = await completedJob(call, job_id)
    const jobs: JobWithOutputs[] = []
    // One after another, because an account can read few large results at the same time.
    for (const id of input.earlier_job_ids) jobs.push(await completedJob(call, id))
    jobs.push(before)
    const endpoints = jobs.map(({ endpoint }) => endpoint)
    const chain = chainWith(context.models, endpoints, workflow_id)
    assertRunnable(context, chain, credential)
    const position = chain.steps.indexOf(before.endpoint) + 1
    const id = chain.steps[position]
    if (id === undefined) {
      const text = `That was the last step of ${chain.id}. Next: svc.get_job_result for its files and results.`
      return { structured: { workflow_id: chain.id }, text }
    }
    const { settings: set } = checkStep(chain, id, { settings: { [id]: given } }, ['settings'])
    const settings = settingsByStep.parse({ [id]: set })
    const earlier = Object.fromEntries(jobs.map((job) => [job.endpoint, { ...job, window: job }]))
    // The window of the chain is that of its first step.
    const first = jobs.find(({ endpoint }) => endpoint === chain.steps[0]) ?? jobs[0] ?? before
    const step = stepRequest(chain, { position, window: first, settings, earlier })
    const warnings = step?.warnings ?? []
    const media = step?.endpoint.readsMedia ? { media_url, ...presentWindow(step.window) } : {}
    const request = { endpoint: id, ...media, settings: { ...step?.settings } }
    const structured = { workflow_id: chain.id, next: request }
    const others = step?.endpoint.readsMedia && media_url === undefined ? ' and media_url' : ''
    const next = `Next: call this tool again with queue, or svc.create_job with ${JSON.stringify(request)}${others}.`
    if (!queue) return { structured, text: [...warnings, next].join(' ') }
    const earlierMedia = step?.endpoint.readsMedia && media_url === undefined ? await mediaOf(call, jobs) : undefined
    const body = earlierMedia ? { ...request, media_url: earlierMedia.url } : request
    const idempotency = bindKey({ key: input.idempotency_key, method: 'POST', path: '/v1/jobs', body })
    const { job, isRepeat } = await createJob(context, {
      ...{ credential, requestId, request, idempotency },
      media: earlierMedia,
      dedupeOpenJob: true,
    })
    const answer = await answerJob(context, job)
    const text = [...warnings, answer.text].join(' ')
    return { ...answer, text, structured: { ...structured, job: answer.structured.job, deduplicated: isRepeat } }
  },
})

/** The media of the latest job that has some. */
async function mediaOf({ context, credential }: KeyCall, jobs: readonly JobWithOutputs[]) {
  for (const job of jobs.toReversed()) {
    const found = await findJobOnMedia(context.db, credential, job)
    if (found) return resolveMediaOf(context, found)
  }
  return undefined
}

/** The chain with steps for all endpoints, of which the last one did the latest job. */
function chainWith(models: ReadonlySet<ModelName>, endpoints: readonly string[], id: string | undefined): Chain {
  const asked = id === undefined ? chains.filter((chain) => isLiveChain(chain, models)) : [getChain(id)]
  const candidates = asked.filter(({ steps }) => endpoints.every((endpoint) => steps.includes(endpoint)))
  const chain = candidates.find(({ steps }) => steps[0] === endpoints.at(-1)) ?? candidates[0]
  if (chain) return chain
  throw new ServiceError(
    'invalid_request',
    `${endpoints.join(' and ')}: no step of ${id ?? 'a live workflow'}. See svc.list_workflows.`,
  )
}

export const listWorkflowsTool = definePublicTool({
  name: 'list_workflows',
  title: 'List recommended chains',
  description: `Lists recommended chains of endpoints: ${chains.map(({ title }) => title.toLowerCase()).join(', ')}. Each says which steps are live. Use it when a goal needs several endpoints.`,
  annotations: lookUp,
  input: strictFields({}),
  example: {},
  output: z.object({ workflows: z.array(z.object(workflow.shape)) }),
  run: async (_input, { context: { models } }) => {
    const workflows = chains.map((chain) => presentWorkflow(chain, models))
    const lines = workflows.map(({ id, title, stage, steps, missing }) => {
      const preview = missing.length === 0 ? 'does not run as a chain yet' : `previews: ${missing.join(', ')}`
      const state = stage === 'live' ? 'every step is live' : preview
      return `- ${id} (${title}): ${steps.map(({ endpoint }) => endpoint).join(' → ')}; ${state}`
    })
    return {
      structured: { workflows },
      text: `${lines.join('\n')}\nNext: call svc.plan_integration with your goal. It ranks chains and endpoints for it, and returns their tool calls.`,
    }
  },
})
