import { z } from 'zod'
import { type Chain, getChain, missingSteps } from '../../src/chains/chains.ts'
import { settingsByStep, stepJobId } from '../../src/chains/step-request.ts'
import { type MicroUsd, toUsd } from '../../src/core/money.ts'
import { roundToMillisecond } from '../../src/core/time-code.ts'
import { findEndpointWith, liveEndpoint } from '../../src/endpoints/catalog.ts'
import { wholeMedia } from '../../src/endpoints/job-window.ts'
import { parseSettings } from '../../src/endpoints/parse-settings.ts'
import type { ModelName } from '../../src/models/models.ts'
import { failureSchema } from '../../src/store/job-documents.ts'
import type { JobWithOutputs } from '../../src/store/jobs.ts'
import type { RunSummary, RunWithJobs } from '../../src/store/runs.ts'
import { errorBodyOf } from '../http/errors.ts'
import {
  type JobBody,
  type PresentContext,
  presentAsked,
  presentJob,
  presentJobSummary,
  statusDetailOf,
} from '../jobs/present.ts'
import { maxStepPrice } from './plan.ts'
import type { RunBody, WorkflowBody } from './schema.ts'

/** A run as in responses: its steps with their jobs, and the result in the last step. */
export async function presentRun(context: PresentContext, run: RunWithJobs): Promise<RunBody> {
  const summary = { ...presentRunSummary(context, run), ...presentRunSettings(run) }
  const done = lastCompleted(summary, run)
  const presented = done && (await presentJob(context, done))
  const last = run.jobs.find(({ id }) => id === summary.steps.at(-1)?.job_id)
  if (!last) return { ...summary, ...presentOutcome(presented) }
  const job = last.id === presented?.id ? presented : await presentJob(context, last)
  const steps = [...summary.steps.slice(0, -1), { endpoint: last.endpoint, job_id: last.id, job }]
  return { ...summary, steps, ...presentOutcome(presented), saved: savedBy(run) }
}

/** The last job of the run that has completed. */
function lastCompleted({ steps }: RunBody, { jobs }: RunWithJobs): JobWithOutputs | undefined {
  const id = steps.findLast(({ job }) => job?.status === 'completed')?.job_id
  return jobs.find((job) => job.id === id)
}

const resultFiles = z.object({
  output: z.record(z.string(), z.unknown()).optional(),
  output_url: z.string().optional(),
  outputs: z.array(z.record(z.string(), z.unknown())).optional(),
})

/** The result of a job, and its files under the same names for every chain. */
function presentOutcome(job: JobBody | undefined) {
  if (!job?.result) return {}
  const { output, output_url, outputs = output && [output] } = resultFiles.parse(job.result)
  return { result: job.result, output_url, outputs }
}

/** What a completed run took out of the media. */
export function savedBy({ chain, error, endedAt, jobs, settings, ...window }: RunWithJobs): RunBody['saved'] {
  if (endedAt === null || error !== null) return undefined
  const steps = jobs.map(({ endpoint, result }) => ({ endpoint, result }))
  const cut = getChain(chain).cutsOf?.({ window, given: settingsByStep.parse(settings), steps })
  // Captions beside a clip are as long as it is.
  const files = jobs.at(-1)?.outputs.filter(({ contentType }) => /^(audio|video)\//.test(contentType)) ?? []
  if (!cut || files.length === 0) return undefined
  const secondsOut = files.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  return { seconds_in: cut.secondsIn, seconds_out: roundToMillisecond(secondsOut), cuts: cut.cuts }
}

function presentRunSettings({ settings }: Pick<RunWithJobs, 'settings'>) {
  const given = settingsByStep.parse(settings)
  return Object.keys(given).length > 0 ? { settings: given } : {}
}

/** A run as in lists: without settings and result. */
export function presentRunSummary(context: Pick<PresentContext, 'config'>, run: RunSummary): RunBody {
  const { config } = context
  const steps = getChain(run.chain).steps.map((endpoint, position) => {
    const id = stepJobId(run.id, position)
    const job = run.jobs.find((each) => each.id === id)
    return { endpoint, ...(job ? { job_id: job.id, job: presentJobSummary(context, job) } : {}) }
  })
  const failure = run.error === null ? undefined : failureSchema.parse(run.error)
  return {
    id: run.id,
    workflow_id: run.chain,
    ...presentAsked(run),
    status: statusOf(run),
    status_detail: statusDetailOf(failure, run.closedAt !== null && run.endedAt === null),
    steps,
    price_limit_usd: toUsd(run.limitMicroUsd),
    price_usd: toUsd(run.jobs.reduce((sum, { finalMicroUsd }) => sum + (finalMicroUsd ?? 0n), 0n)),
    error: failure && errorBodyOf(config, failure, run.requestId),
    warnings: [
      ...run.warnings,
      ...run.jobs.flatMap(({ endpoint, warnings }) => warnings.map((each) => `${endpoint}: ${each}`)),
    ],
    created_at: run.createdAt.toISOString(),
    ended_at: run.endedAt?.toISOString(),
  }
}

export function statusOf({ endedAt, error, jobs }: RunSummary): RunBody['status'] {
  if (endedAt) return error === null ? 'completed' : 'failed'
  return jobs.some(({ status }) => status !== 'queued') ? 'running' : 'queued'
}

/** A chain as in lists, with its missing endpoints. */
export function presentWorkflow(chain: Chain, models: ReadonlySet<ModelName>): WorkflowBody {
  const { id, title, summary, inputsFrom } = chain
  const missing = missingSteps(chain, models)
  const steps = chain.steps.map((endpointId) => {
    const endpoint = findEndpointWith(models, endpointId)
    if (!endpoint) throw new TypeError(`${endpointId} is no endpoint`)
    const filled = [...(inputsFrom[endpointId]?.settings ?? [])]
    return { endpoint: endpointId, stage: endpoint.stage, summary: endpoint.summary, filled }
  })
  if (missing.length > 0) return { id, title, summary, stage: 'preview', steps, missing }
  return { id, title, summary, stage: 'live', steps, missing, max_usd_per_hour: toUsd(maxPriceOfHour(chain)) }
}

/** The maximum price of a live chain for an hour of media: no step processes more than all of it. */
function maxPriceOfHour(chain: Chain): MicroUsd {
  const hour = { window: wholeMedia, mediaSeconds: 3600 }
  return chain.steps
    .map((id) => maxStepPrice(chain, id, { ...hour, settings: parseSettings(liveEndpoint(id), {}) })?.microUsd ?? 0n)
    .reduce((sum, price) => sum + price, 0n)
}
