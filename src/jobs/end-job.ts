import type { Logger } from 'pino'
import { type Failure, failureOfJob } from '../store/job-documents.ts'
import { countingLedgerErrors, measureEnd } from '../telemetry/measure-jobs.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type JobAnswer, type SettledJob, settleAnswered, settleJob } from './settle-job.ts'
import { type StartNextDependencies, startAdmitted } from './start-job.ts'

export interface EndJobDependencies extends StartNextDependencies {
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
  await startAdmitted(deps, job.admitted)
  return job
}
