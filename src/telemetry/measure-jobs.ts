import { ServiceError } from '../core/errors.ts'
import { failureOfJob } from '../store/job-documents.ts'
import type { Job } from '../store/jobs.ts'
import type { ledgerTransactions, Metrics } from './metrics.ts'

/**
 * Measures the start of a job, once, even if its work begins again. Its wait begins when it got its slot: until then, it waited for
 * other jobs of its account.
 */
export function measureStart(metrics: Metrics, job: Job & { readonly startedNow: boolean }): void {
  const { endpoint, startedNow, admittedAt, createdAt, startedAt } = job
  if (!startedNow || !startedAt) return
  metrics.jobQueueSeconds.observe({ endpoint }, seconds(admittedAt ?? createdAt, startedAt))
}

/** Measures the end of a job, once, however often the job is settled. */
export function measureEnd(metrics: Metrics, job: Job & { readonly endedNow: boolean }): void {
  if (!job.endedNow) return
  const { endpoint, status, startedAt, endedAt } = job
  metrics.jobsEnded.inc({ endpoint, status, code: failureOfJob(job)?.code ?? '' })
  if (startedAt && endedAt) metrics.jobSeconds.observe({ endpoint, status }, seconds(startedAt, endedAt))
}

/** Counts unexpected errors of a ledger transaction; refusals are not counted. */
export async function countingLedgerErrors<T>(
  { ledgerErrors }: Metrics,
  transaction: (typeof ledgerTransactions)[number],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) ledgerErrors.inc({ transaction })
    throw error
  }
}

function seconds(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1000
}
