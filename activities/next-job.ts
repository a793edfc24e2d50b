import { getChain } from '../src/chains/chains.ts'
import type { EarlierJob, EarlierJobs } from '../src/chains/earlier-jobs.ts'
import { settingsByStep, stepJobId, stepRequest } from '../src/chains/step-request.ts'
import { ServiceError, withoutRetry } from '../src/core/errors.ts'
import { startAttributes } from '../src/core/search-attributes.ts'
import { acceptStep } from '../src/jobs/accept-step.ts'
import { type PricedJob, pricedJob } from '../src/jobs/priced-job.ts'
import { summaryOf } from '../src/jobs/start-job.ts'
import { failureOfJob, mediaInfoOf } from '../src/store/job-documents.ts'
import { getJob, getResult } from '../src/store/jobs.ts'
import { referenceOf } from '../src/store/media-reference.ts'
import { getRun, type Run } from '../src/store/runs.ts'
import { findEndsOf } from '../src/store/worker-ends.ts'
import { countingLedgerErrors } from '../src/telemetry/measure-jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { assertAccountMayWork, maxWorkerEnds, workersBlocked } from './worker/lost-attempts.ts'

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

export type NextJobResult = { readonly isDone: true } | ({ readonly isDone: false } & NextJob)

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

function nextRequest(run: Run, mediaSeconds: number, position: number, earlier: EarlierJobs): PricedJob | undefined {
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

/** The length from the first step's inspection; before it, the length from the request. */
async function mediaLengthForStep({ db }: Dependencies, { id, mediaSeconds }: Run, position: number): Promise<number> {
  const first = position === 0 ? undefined : mediaInfoOf(await getJob(db, stepJobId(id, 0)))
  return first?.durationSeconds ?? mediaSeconds
}

async function finishedSteps(deps: Dependencies, run: Run, count: number): Promise<EarlierJobs> {
  const steps = getChain(run.chain).steps.slice(0, count)
  const jobs = await Promise.all(steps.map(async (id, step) => [id, await finishedStep(deps, run, step)] as const))
  return Object.fromEntries(jobs)
}

async function finishedStep({ db }: Dependencies, { id }: Run, position: number): Promise<EarlierJob> {
  const job = await getJob(db, stepJobId(id, position))
  if (job.status === 'completed')
    return { ...{ id: job.id, window: job, settings: job.settings }, result: await getResult(db, job.id) }
  const { code, message } = failureOfJob(job) ?? { code: 'server_error', message: undefined }
  throw new ServiceError(code, message, { retryable: false })
}
