import { z } from 'zod'
import { chains } from '../../src/chains/chains.ts'
import type { StepSettings } from '../../src/chains/earlier-jobs.ts'
import { runModes } from '../../src/chains/step-request.ts'
import { idPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { maxSeconds } from '../../src/core/time-code.ts'
import { callbackUrl } from '../http/callback-url.ts'
import { metadata } from '../http/metadata.ts'
import { nextCursor, pageCursor, pageLimit } from '../http/pages.ts'
import { amountUsd, errorBody, response } from '../http/route.ts'
import { askedFields, askedFilter, jobSchema, statusDetail } from '../jobs/schema.ts'
import { requestWindow } from '../jobs/validate.ts'
import { placeOfSetting } from './start.ts'

const usd = z.number().min(0)

export const workflowParams = z.object({ workflow_id: z.string().meta({ examples: ['remove-dead-space'] }) })
export const runParams = z.object({ run_id: z.string().meta({ pattern: idPattern('run').source }) })

const stage = z.enum(['live', 'preview'])

export const workflow = z
  .object({
    id: z.string(),
    title: z.string(),
    summary: z.string(),
    stage: stage.describe('live: every step is live.'),
    steps: z.array(
      z.object({
        endpoint: z.string(),
        stage,
        summary: z.string(),
        filled: z.array(z.string()).describe('Settings that the chain sets from the result of the previous step.'),
      }),
    ),
    missing: z.array(z.string()).describe('Endpoints that do not run yet. While any are listed, runs are refused.'),
    max_usd_per_hour: usd
      .optional()
      .describe('On live chains: the maximum price of all steps for an hour of media, with the default settings.'),
  })
  .meta({ id: 'Workflow' })

export const workflowList = response('WorkflowList', { workflows: z.array(workflow) })

/** Body of `POST /v1/workflows/{workflow_id}/runs`. */
export const runRequest = strictFields(
  {
    ...requestWindow,
    mode: z
      .enum(runModes)
      .default('plan')
      .describe('plan: returns prices only. queue_first: creates only the first job. run_all: runs the whole chain.'),
    media_seconds: z
      .number()
      .positive()
      .max(maxSeconds)
      .optional()
      .describe('Length of the media, which is then not read, except by queue_first with max_price_usd.'),
    // `readStepSettings` checks the values, because only it knows the chain.
    settings: z
      .record(z.string(), z.unknown())
      .meta({ additionalProperties: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} } })
      .default({})
      .describe('Settings of each endpoint by endpoint id, without those that the chain sets.'),
    metadata: metadata.optional(),
    callback_url: callbackUrl,
    max_price_usd: amountUsd
      .optional()
      .describe(
        'The maximum price of the run; with queue_first, of the first job. When left out, the max_price_usd of the plan.',
      ),
  },
  { placeOf: placeOfSetting },
).meta({
  id: 'WorkflowRunRequest',
  examples: [
    {
      mode: 'run_all',
      media_url: 'https://media.example/talk.mp4',
      settings: { 'audio/detect-silence': { threshold: -40 } },
    },
  ],
})

export type WorkflowBody = z.output<typeof workflow>
/** A request whose settings `readStepSettings` has not read. */
export type GivenRunRequest = z.output<typeof runRequest>

export type RunRequest = Omit<GivenRunRequest, 'settings'> & { readonly settings: StepSettings }

export const runPlan = z
  .object({
    media_seconds: z.number(),
    steps: z.array(z.object({ endpoint: z.string(), max_price_usd: usd.describe('The maximum price of the step.') })),
    max_price_usd: usd.describe('The maximum price of all steps together.'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'WorkflowPlan' })

export type PlanBody = z.output<typeof runPlan>

const runStatuses = ['queued', 'running', 'completed', 'failed'] as const

const runStatusDetail = z
  .enum([...statusDetail.unwrap().options, 'awaiting_consent'])
  .optional()
  .describe(
    `${statusDetail.description} awaiting_consent: the client that created it was asked whether it agrees to the price. Without an answer, it is canceled after a day.`,
  )

export const runSchema = z
  .object({
    id: z.string().regex(idPattern('run')).describe('The run_id of other requests and of its jobs.'),
    workflow_id: z.string(),
    ...askedFields,
    status: z.enum(runStatuses),
    status_detail: runStatusDetail,
    steps: z
      .array(z.object({ endpoint: z.string(), job_id: z.string().optional(), job: jobSchema.optional() }))
      .describe('A step has a job_id once its job exists. The last step has the result.'),
    result: jobSchema.shape.result.describe('The result of the last completed step. Left out in lists.'),
    output_url: z.url().optional().describe('The first file of that step, if it made one.'),
    outputs: z.array(z.record(z.string(), z.unknown())).optional().describe('All files of that step.'),
    saved: z
      .object({
        seconds_in: z.number().describe('Length of the media, or of the part that was requested.'),
        seconds_out: z.number().describe('Length of the files.'),
        cuts: z
          .int()
          .describe(
            'How many stretches were taken out, also before the first range and after the last. The joints of a receipt are only those between ranges.',
          ),
      })
      .optional()
      .describe('On completed runs of a chain that takes time out.'),
    price_limit_usd: usd,
    price_usd: usd.describe('The price of the completed steps.'),
    error: errorBody.optional().describe('On failed runs.'),
    warnings: z.array(z.string()).describe('The warnings of the plan and of the jobs so far.'),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().optional(),
  })
  .meta({ id: 'WorkflowRun' })

export type RunBody = z.output<typeof runSchema>

export const runEnvelope = response('WorkflowRunEnvelope', { run_id: z.string(), run: runSchema })

export const runPage = response('WorkflowRunPage', {
  runs: z.array(runSchema).describe('Newest first, without settings and results.'),
  next_cursor: nextCursor,
})

/** The filter of a list of runs. */
export const runFilter = z.object({
  status: z.enum(runStatuses).optional().describe('Only runs with this status. All when left out.'),
  workflow_id: z
    .enum(chains.map(({ id }) => id))
    .optional()
    .describe('Only runs of this chain. Those of all when left out.'),
  ...askedFilter,
  cursor: pageCursor,
  limit: pageLimit,
})

export const createRunEnvelope = response('WorkflowRunCreated', {
  plan: runPlan.optional().describe('Left out when a request is repeated.'),
  job_id: z.string().optional().describe('With queue_first.'),
  job: jobSchema.optional().describe('With queue_first: the first job.'),
  run_id: z.string().optional().describe('With run_all.'),
  run: runSchema.optional().describe('With run_all.'),
})
