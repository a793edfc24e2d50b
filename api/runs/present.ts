import { maxPriceOf } from '../../src/billing/price.ts'
import { type Chain, getChain, missingSteps } from '../../src/chains/chains.ts'
import { stepJobId } from '../../src/chains/step-request.ts'
import { type MicroUsd, toUsd } from '../../src/core/money.ts'
import { findEndpoint, liveEndpoint } from '../../src/endpoints/catalog.ts'
import { wholeMedia } from '../../src/endpoints/job-window.ts'
import { parseSettings } from '../../src/endpoints/parse-settings.ts'
import { failureSchema } from '../../src/store/job-documents.ts'
import type { RunSummary, RunWithJobs } from '../../src/store/runs.ts'
import { type PresentContext, presentJob, presentJobSummary } from '../jobs/present.ts'
import type { RunBody, WorkflowBody } from './schema.ts'

/** A run as in responses: its steps with their jobs, and the result in the last step. */
export async function presentRun(context: PresentContext, run: RunWithJobs): Promise<RunBody> {
  const summary = presentRunSummary(context, run)
  const result = run.jobs.find(({ id }) => id === summary.steps.at(-1)?.job_id)
  if (!result) return summary
  const last = { endpoint: result.endpoint, job_id: result.id, job: await presentJob(context, result) }
  return { ...summary, steps: [...summary.steps.slice(0, -1), last] }
}

/** The same without the result, as in lists. */
export function presentRunSummary(context: Pick<PresentContext, 'config'>, run: RunSummary): RunBody {
  const steps = getChain(run.chain).steps.map((endpoint, position) => {
    const id = stepJobId(run.id, position)
    const job = run.jobs.find((each) => each.id === id)
    return { endpoint, ...(job ? { job_id: job.id, job: presentJobSummary(context, job) } : {}) }
  })
  return {
    id: run.id,
    workflow_id: run.chain,
    status: statusOf(run),
    steps,
    price_limit_usd: toUsd(run.limitMicroUsd),
    price_usd: toUsd(run.jobs.reduce((sum, { finalMicroUsd }) => sum + (finalMicroUsd ?? 0n), 0n)),
    ...(run.error === null ? {} : { error: failureSchema.parse(run.error) }),
    warnings: [
      ...run.warnings,
      ...run.jobs.flatMap(({ endpoint, warnings }) => warnings.map((each) => `${endpoint}: ${each}`)),
    ],
    created_at: run.createdAt.toISOString(),
    ended_at: run.endedAt?.toISOString(),
  }
}

function statusOf({ endedAt, error, jobs }: RunSummary): RunBody['status'] {
  if (endedAt) return error === null ? 'completed' : 'failed'
  return jobs.some(({ status }) => status !== 'queued') ? 'running' : 'queued'
}

/** A chain as in lists, with its missing endpoints. */
export function presentWorkflow(chain: Chain): WorkflowBody {
  const { id, title, summary, inputsFrom } = chain
  const missing = missingSteps(chain)
  const steps = chain.steps.map((endpointId) => {
    const endpoint = findEndpoint(endpointId)
    if (!endpoint) throw new TypeError(`${endpointId} is no endpoint`)
    const filled = [...(inputsFrom[endpointId]?.settings ?? [])]
    return { endpoint: endpointId, stage: endpoint.stage, summary: endpoint.summary, filled }
  })
  if (missing.length > 0) return { id, title, summary, stage: 'preview', steps, missing }
  return { id, title, summary, stage: 'live', steps, missing, max_usd_per_hour: toUsd(maxPriceOfHour(chain)) }
}

/** The maximum price of a live chain for an hour of media: no step processes more than all of it. */
function maxPriceOfHour({ steps }: Chain): MicroUsd {
  const hour = { window: wholeMedia, mediaSeconds: 3600 }
  return steps
    .map(liveEndpoint)
    .map((endpoint) => maxPriceOf(endpoint, { ...hour, settings: parseSettings(endpoint, {}) })?.microUsd ?? 0n)
    .reduce((sum, price) => sum + price, 0n)
}
