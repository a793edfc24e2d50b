import type { Logger } from 'pino'
import { type MicroUsd, toUsd } from '../core/money.ts'
import { asOfStep } from '../core/text.ts'
import { announceSql } from '../db/announcements.ts'
import { type Database, lockRun } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { jsonText, timestamp } from '../db/rows.ts'
import { countingLedgerErrors, type Metrics, measureEnd } from '../telemetry/metrics.ts'
import type { JobClient } from '../temporal/job-client.ts'
import { type DueWork, type DueWorkStarter, startDueWork } from '../webhooks/deliveries.ts'
import { endedType, eventSql, noticedSql } from '../webhooks/events.ts'
import { admitWaiting, type SlotLimits } from './admission.ts'
import { markDispatched } from './job-changes.ts'
import { type Failure, failureOfJob, getJob, type Job, omitResult } from './job-rows.ts'
import { getRun, type Run } from './run-rows.ts'
import { canceledJob, type JobAnswer, type SettledJob, settleAnswered, settleJob } from './settle-job.ts'

interface EndJobDependencies extends StartNextDependencies {
  readonly metrics: Metrics
  readonly logger: Pick<Logger, 'info' | 'warn'>
}

/** Settles a job, logs and measures its end once, and starts the jobs that get its slot. Every caller that ends a job uses it. */
export async function endJob(
  deps: EndJobDependencies,
  jobId: string,
  failureOrAnswer?: Failure | JobAnswer,
): Promise<SettledJob> {
  const { db, metrics, logger, slotLimits } = deps
  const settle = () =>
    failureOrAnswer && 'draft' in failureOrAnswer
      ? settleAnswered(db, jobId, failureOrAnswer, slotLimits)
      : settleJob(db, jobId, failureOrAnswer, slotLimits)
  const job = await countingLedgerErrors(metrics, 'settle', settle)
  measureEnd(metrics, job)
  const { accountId, endpoint, status, requestId } = job
  const { code } = failureOfJob(job) ?? {}
  if (job.endedNow) logger.info({ jobId, accountId, endpoint, status, code, requestId }, 'job ended')
  await Promise.all([startAdmitted(deps, job.admitted), startDueWork(deps, job)])
  return job
}

/** Unlike a canceled job, a canceled run can cost something: its completed steps. */
export const canceledRun: Failure = {
  code: 'canceled',
  message: 'The run was canceled. Steps that had completed stay charged.',
}

interface EndRunInput {
  readonly runId: string
  /** The id of the chain's last job, whether it exists or not. */
  readonly lastJobId: string
  readonly failure?: Failure | undefined
}

/** Ends a run, and gives its slot to a job that waits. Every caller that ends a run uses it. Returns whether this call ended it. */
export async function endRun(
  deps: StartNextDependencies,
  { accountId, ...run }: EndRunInput & Pick<Run, 'accountId'>,
): Promise<boolean> {
  const due = await settleRun(deps.db, run)
  if (due) await startDueWork(deps, { accountId, ...due })
  await startNextJobs(deps, accountId)
  return due !== undefined
}

/**
 * Ends a run's row, which frees its slot: completed if its last job is, otherwise failed with its job's failure or the given one.
 * Returns what is due then. An ended run does not change: then undefined.
 */
export async function settleRun(
  db: Database,
  { runId, lastJobId, failure }: EndRunInput,
): Promise<Omit<DueWork, 'accountId'> | undefined> {
  return db.$transaction(async (tx) => {
    await lockRun(tx, runId)
    const run = await getRun(tx, runId)
    if (run.endedAt) return undefined
    const jobs = await tx.job.findMany({ where: { runId }, ...omitResult })
    const isCompleted = jobs.some(({ id, status }) => id === lastJobId && status === 'completed')
    const failed = jobs.find(({ status }) => status === 'failed')
    const reason = isCompleted ? undefined : ((failed && failureOfStep(failed)) ?? failure)
    const error = reason?.code === 'canceled' ? canceledRun : reason
    const at = new Date()
    const price = jobs.reduce((sum, { finalMicroUsd }) => sum + (finalMicroUsd ?? 0n), 0n)
    const statement = [
      Prisma.sql`account AS (SELECT id FROM accounts WHERE id = ${run.accountId} AND deleted_at IS NULL FOR NO KEY UPDATE)`,
      Prisma.sql`ended AS (
        UPDATE workflow_runs SET ended_at = ${timestamp(at)}, error = ${error ? Prisma.sql`${jsonText(error)}::jsonb` : Prisma.sql`NULL`}
        WHERE id = ${runId})`,
      ...eventSql(eventOfRun(run, { at, price, error }), Prisma.sql`account`),
    ]
    const [{ endpointIds }] = await tx.$queryRaw<[{ endpointIds: string[] }]>`
      WITH ${Prisma.join(statement)} SELECT ${announceSql(runId)} AS notice, ${noticedSql(run.accountId)}`
    // The key of a batch is the batch.
    return { endpointIds, hasItems: /^(bat|dir)_/.test(run.apiKeyId ?? '') }
  })
}

interface RunEnd {
  readonly at: Date
  readonly price: MicroUsd
  readonly error: Failure | undefined
}

/** Undefined for a deleted run. */
function eventOfRun({ id, accountId, chain, metadata, deletedAt }: Run, { at, price, error }: RunEnd) {
  if (deletedAt) return undefined
  const data = {
    ...{
      id,
      object: 'workflow_run',
      workflow_id: chain,
      status: error ? 'failed' : 'completed',
      metadata: metadata ?? {},
    },
    ...{ price_usd: toUsd(price), error: error ?? null, ended_at: at.toISOString() },
  }
  return { accountId, type: endedType('workflow_run', error), subjectId: id, at, data }
}

function failureOfStep(job: Pick<Job, 'error' | 'endpoint'>): Failure | undefined {
  const failure = failureOfJob(job)
  return failure && { ...failure, message: asOfStep(failure.message, job.endpoint) }
}

export interface CancellationDependencies extends EndJobDependencies {
  readonly jobs: EndJobDependencies['jobs'] & Pick<JobClient, 'cancel'>
}

/**
 * Delivers a recorded cancellation to the job's workflow. For a job of a run, delivers it to the run's workflow, because a
 * canceled job ends its run. A job that never reached Temporal ends here; if it is starting at this moment, its first activity
 * sees that it has ended. Rejects if Temporal does not answer.
 */
export async function deliverCancellation(deps: CancellationDependencies, jobId: string): Promise<void> {
  const job = await getJob(deps.db, jobId)
  if ((job.admittedAt || job.dispatchedAt) && (await deps.jobs.cancel(job.runId ?? jobId))) return
  const { dispatchedAt } = await getJob(deps.db, jobId)
  if (dispatchedAt) return
  await endJob(deps, jobId, canceledJob)
}

interface StartJobDependencies {
  readonly db: Database
  readonly jobs: Pick<JobClient, 'start' | 'startRun'>
}

/** Dispatches an admitted job, or the run that it begins, to Temporal. Repeating it changes nothing. */
export async function startJob({ db, jobs }: StartJobDependencies, job: Job): Promise<void> {
  const { id: jobId, accountId, apiKeyId: keyId, endpoint, runId, traceParent } = job
  if (runId) await jobs.startRun({ runId, accountId, keyId, summary: summaryOf(job, 'chain'), traceParent })
  else await jobs.start({ jobId, accountId, keyId, endpoint, summary: summaryOf(job), traceParent })
  await markDispatched(db, jobId)
}

/** The summary of a workflow for operators, with the id of the media in our storage. Histories cannot be erased, so it contains no file name. */
export function summaryOf({ endpoint, mediaKey }: Pick<Job, 'endpoint' | 'mediaKey'>, what = endpoint): string {
  const [, mediaId] = mediaKey?.split('/') ?? []
  return mediaId ? `${what} · ${mediaId}` : what
}

interface StartNextDependencies extends StartJobDependencies, DueWorkStarter {
  readonly jobs: StartJobDependencies['jobs'] & DueWorkStarter['jobs']
  readonly slotLimits: SlotLimits
  readonly logger: Pick<Logger, 'warn'>
}

/** Assigns the account's free slots to its oldest waiting jobs, and starts them. Returns their number. */
export async function startNextJobs(deps: StartNextDependencies, accountId: string): Promise<number> {
  const admitted = await admitWaiting(deps.db, accountId, deps.slotLimits)
  await startAdmitted(deps, admitted)
  return admitted.length
}

/** Starts jobs that got a slot. Upkeep starts those that could not be. */
async function startAdmitted(deps: StartNextDependencies, admitted: readonly Job[]): Promise<void> {
  const start = (job: Job) =>
    startJob(deps, job).catch((error: unknown) =>
      deps.logger.warn({ jobId: job.id, accountId: job.accountId, err: error }, 'job not started yet'),
    )
  await Promise.all(admitted.map(start))
}
