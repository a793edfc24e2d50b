import { getChain } from '../src/chains/chains.ts'
import type { EarlierJob, EarlierJobs } from '../src/chains/earlier-jobs.ts'
import { lastJobId, settingsByStep, stepJobId, stepRequest } from '../src/chains/step-request.ts'
import { ServiceError, withoutRetry } from '../src/core/errors.ts'
import { acceptStep, type PricedJob, pricedJob } from '../src/jobs/accept.ts'
import { findEndsOf } from '../src/jobs/attempts.ts'
import { type Failure, failureOfJob, getJob, findResult, mediaInfoOf, referenceOf } from '../src/jobs/job-rows.ts'
import { closeRun, findOpenJobs, getRun, type Run } from '../src/jobs/run-rows.ts'
import type { SettledJob } from '../src/jobs/settle-job.ts'
import { endJob, endRun, summaryOf } from '../src/jobs/start-and-end.ts'
import { countingLedgerErrors } from '../src/telemetry/metrics.ts'
import { startAttributes } from '../src/temporal/names.ts'
import type { Dependencies, JobInput } from './dependencies.ts'
import { closeSource } from './source.ts'
import { assertAccountMayWork, maxWorkerEnds, workersBlocked } from './worker/lost-attempts.ts'

export interface FinishInput extends JobInput {
  readonly failure?: Failure
}

export interface FinishResult {
  /** False if the job failed, also because its row has a cancellation. */
  readonly isCompleted: boolean
}

/** Ends a job that `run` did, or that failed, in one transaction: outputs, capture and the ended row, or the failure and the release. */
export async function finishJob(deps: Dependencies, { jobId, failure }: FinishInput): Promise<FinishResult> {
  const job = await endJob(deps, jobId, failure)
  await closeSource(deps, jobId)
  return finishResult(job)
}

/** What the workflow must know of a job that has ended. */
export function finishResult({ status }: SettledJob): FinishResult {
  return { isCompleted: status !== 'failed' }
}

export interface FinishRunInput {
  readonly runId: string
  readonly failure?: Failure
}

/**
 * Ends the run's row, and a job that was never dispatched, and gives the run's slot to a job that waits. The other jobs have ended
 * themselves; completed ones stay charged.
 */
export async function finishRun(deps: Dependencies, { runId, failure }: FinishRunInput): Promise<void> {
  const run = await getRun(deps.db, runId)
  if (failure) {
    // A canceled step may still be creating a job; closing the run waits for it.
    await closeRun(deps.db, runId)
    await endUndispatched(deps, runId, failure)
  }
  const { accountId } = run
  await endRun(deps, { runId, accountId, lastJobId: lastJobId(run), failure })
  deps.logger.info({ runId, accountId, code: failure?.code }, 'run ended')
}

/** Ends a job that no workflow runs: the run was canceled between creating the job and starting it. */
async function endUndispatched(deps: Dependencies, runId: string, failure: Failure): Promise<void> {
  for (const { id } of await findOpenJobs(deps.db, runId)) {
    if (!(await deps.jobs.isOpen(id))) await endJob(deps, id, failure)
  }
}

export interface NextJobInput {
  readonly runId: string
  /** The step's position, from 0. */
  readonly position: number
}

export interface NextJob {
  readonly jobId: string
  readonly accountId: string
  readonly endpoint: string
  /** Shown to operators in the Web UI, as are searchAttributes. */
  readonly summary: string
  readonly searchAttributes: readonly { readonly name: string; readonly value: string }[]
}

type NextJobResult = { readonly isDone: true } | ({ readonly isDone: false } & NextJob)

/** Creates the job of the run's next step from the previous job's result, and holds its price. */
export async function acceptNextJob(deps: Dependencies, { runId, position }: NextJobInput): Promise<NextJobResult> {
  const run = await getRun(deps.db, runId)
  const ends = await findEndsOf(deps.db, run)
  if (ends.workerEnds >= maxWorkerEnds) throw new ServiceError('processing_failed', workersBlocked)
  assertAccountMayWork(ends)
  const earlier = await finishedSteps(deps, run, position)
  const step = nextRequest(run, await mediaLengthForStep(deps, run, position), position, earlier)
  if (!step) return { isDone: true }
  const accept = () => acceptStep(deps.db, runId, step)
  const { job, isRepeat } = await countingLedgerErrors(deps.metrics, 'accept', accept)
  if (!isRepeat) deps.metrics.jobsCreated.inc({ endpoint: job.endpoint })
  const { id, accountId, endpoint, apiKeyId: keyId } = job
  const attributes = startAttributes({ accountId, endpoint, keyId })
  const searchAttributes = attributes.map(({ key: { name }, value }) => ({ name, value }))
  return { isDone: false, jobId: id, accountId, endpoint, summary: summaryOf(job), searchAttributes }
}

function nextRequest(
  run: Run,
  mediaSeconds: number | undefined,
  position: number,
  earlier: EarlierJobs,
): PricedJob | undefined {
  return withoutRetry(() => {
    const request = stepRequest(getChain(run.chain), {
      position,
      window: run,
      settings: settingsByStep.parse(run.settings),
      earlier,
    })
    if (!request) return undefined
    const reference = request.endpoint.readsMedia ? referenceOf(run) : null
    return pricedJob({ ...request, jobId: stepJobId(run.id, position), mediaSeconds, reference })
  })
}

/** The length from the first step's inspection; before it, the length from the request, if that had it. */
async function mediaLengthForStep(
  { db }: Dependencies,
  { id, mediaSeconds }: Run,
  position: number,
): Promise<number | undefined> {
  const first = position === 0 ? undefined : mediaInfoOf(await getJob(db, stepJobId(id, 0)))
  return first?.durationSeconds ?? mediaSeconds ?? undefined
}

async function finishedSteps(deps: Dependencies, run: Run, count: number): Promise<EarlierJobs> {
  const steps = getChain(run.chain).steps.slice(0, count)
  const jobs = await Promise.all(steps.map(async (id, step) => [id, await finishedStep(deps, run, step)] as const))
  return Object.fromEntries(jobs)
}

async function finishedStep({ db }: Dependencies, { id }: Run, position: number): Promise<EarlierJob> {
  const job = await getJob(db, stepJobId(id, position))
  if (job.status === 'completed')
    return { ...{ id: job.id, window: job, settings: job.settings }, result: await findResult(db, job.id) }
  const { code, message } = failureOfJob(job) ?? { code: 'server_error', message: undefined }
  throw new ServiceError(code, message, { retryable: false })
}
