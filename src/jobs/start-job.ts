import type { Database } from '../store/database.ts'
import { type Job, markDispatched } from '../store/jobs.ts'
import type { JobClient } from '../temporal/job-client.ts'

/** Temporal takes summaries of up to 400 bytes, and a character can take three. */
const summaryNameLength = 100

export interface StartJobDependencies {
  readonly db: Database
  readonly jobs: Pick<JobClient, 'start' | 'startRun'>
}

/** Hands an admitted job, or the run that it begins, to Temporal and notes that it was taken. Starting it again changes nothing. */
export async function startJob({ db, jobs }: StartJobDependencies, job: Job): Promise<void> {
  const { id: jobId, accountId, endpoint, runId, traceParent } = job
  if (runId) await jobs.startRun({ runId, accountId, summary: summaryOf(job, 'chain'), traceParent })
  else await jobs.start({ jobId, accountId, endpoint, summary: summaryOf(job), traceParent })
  await markDispatched(db, jobId)
}

/** What operators read of a workflow. */
export function summaryOf({ endpoint, mediaName }: Pick<Job, 'endpoint' | 'mediaName'>, what = endpoint): string {
  return mediaName ? `${what} · ${mediaName.slice(0, summaryNameLength)}` : what
}
