import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { type Chain, chains, getChain, missingSteps } from '../../src/chains/chains.ts'
import { settingsByStep, stepJobId } from '../../src/chains/step-request.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { type MicroUsd, toUsd } from '../../src/core/money.ts'
import { coversEndpoint } from '../../src/core/scopes.ts'
import { roundToMillisecond } from '../../src/core/time-code.ts'
import { endpoints, findEndpointWith, liveEndpoint } from '../../src/endpoints/catalog.ts'
import { parseSettings, wholeMedia } from '../../src/endpoints/parse-settings.ts'
import { failureSchema, type JobWithOutputs } from '../../src/jobs/job-rows.ts'
import {
  awaitsConsent,
  findRun,
  listRuns,
  type RunSummary,
  type RunWithJobs,
  type RunWithoutResults,
} from '../../src/jobs/run-rows.ts'
import type { ModelName } from '../../src/models/models.ts'
import type { ApiContext } from '../http/context.ts'
import { errorBodyOf } from '../http/errors.ts'
import { type LongPollContext, longPoll } from '../http/long-poll.ts'
import { decodePosition, pageOf } from '../http/pages.ts'
import { askedFilterOf, type ResultContext, withResults } from '../jobs/read.ts'
import {
  type JobBody,
  type PresentContext,
  presentAsked,
  presentJob,
  presentJobSummary,
  statusDetailOf,
} from '../jobs/schema.ts'
import { maxStepPrice } from './plan.ts'
import type { RunBody, runFilter, WorkflowBody } from './schema.ts'

interface ReadRunInput {
  readonly reader: Credential
  readonly runId: string
  readonly waitSeconds: number
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Called with the run each time it is read. */
  readonly onRead?: ((run: RunWithoutResults) => Promise<void>) | undefined
}

/** A run of the reader's account. Throws `not_found` if it does not exist, or the credential does not cover every step. */
export async function findOwnRun(
  { db }: Pick<ApiContext, 'db'>,
  reader: Credential,
  runId: string,
): Promise<RunWithoutResults> {
  if (isId('job', runId))
    throw new ServiceError('not_found', `${runId} is a job, not a run. Read it at /v1/jobs/${runId}.`)
  const run = isId('run', runId) ? await findRun(db, reader.accountId, runId) : null
  if (run && isCovered(reader.scope, getChain(run.chain))) return run
  throw noSuchRun()
}

export function noSuchRun(): ServiceError {
  return new ServiceError(
    'not_found',
    'No run with this id is in this account, or the key does not cover it. Check the id and the key.',
  )
}

/** A page of the runs that the reader can see, newest first, without results. */
export async function pageOfRuns(
  context: Pick<ApiContext, 'config' | 'db'>,
  { accountId, scope }: Credential,
  { limit, cursor, status, workflow_id: chain, ...asked }: z.output<typeof runFilter>,
) {
  const visible = coveredWork(scope).filter((id) => chain === undefined || id === chain)
  const filter = { chains: visible, status, ...askedFilterOf(asked) }
  const found = await listRuns(context.db, accountId, { limit: limit + 1, after: decodePosition(cursor), filter })
  const [runs, next] = pageOf(found, limit)
  return { runs: runs.map((run) => presentRunSummary(context, run)), ...next }
}

/** The ids of the chains and endpoints of which a scope covers the runs: those of batches can be of an endpoint. */
export function coveredWork(scope: string): string[] {
  const ofChains = chains.filter((chain) => isCovered(scope, chain))
  return [...ofChains, ...endpoints.filter(({ id }) => coversEndpoint(scope, id))].map(({ id }) => id)
}

export function isCovered(scope: string, { steps }: Chain): boolean {
  return steps.every((id) => coversEndpoint(scope, id))
}

/** The run with the results that `presentRun` shows: of its last completed step, and of all if it took time out of the media. */
export async function addShownResults(context: ResultContext, run: RunWithoutResults): Promise<RunWithJobs> {
  if (run.endedAt && getChain(run.chain).cutsOf) return withResults(context, run)
  const last = run.jobs.findLast(({ status }) => status === 'completed')
  return withResults(context, run, last ? [last.id] : [])
}

/** A run that the reader can see, with its shown results, after waiting up to `waitSeconds` for its end. */
export async function readRun(
  context: LongPollContext & ResultContext,
  { reader, runId, waitSeconds, signal, onRead }: ReadRunInput,
): Promise<RunWithJobs> {
  const read = async () => {
    const run = await findOwnRun(context, reader, runId)
    await onRead?.(run)
    return run
  }
  const isDone = ({ endedAt }: RunWithoutResults) => endedAt !== null
  const wait = { waiter: reader, id: runId, read, isDone, milliseconds: waitSeconds * 1000, signal }
  return addShownResults(context, await longPoll(context, wait))
}

/** A run as in responses: its steps with their jobs, and the result in the last step. */
export async function presentRun(context: PresentContext, run: RunWithJobs): Promise<RunBody> {
  const given = settingsByStep.parse(run.settings)
  const settings = Object.keys(given).length > 0 ? { settings: given } : {}
  const summary = { ...presentRunSummary(context, run), ...settings }
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
    status_detail: awaitsConsent(run)
      ? 'awaiting_consent'
      : statusDetailOf(failure, run.closedAt !== null && run.endedAt === null),
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
