import type { Database } from '../store/database.ts'
import { type Job, markAccepted } from '../store/jobs.ts'
import type { JobClient } from '../temporal/job-client.ts'

/** Temporal takes summaries of up to 400 bytes, and a character can take three. */
const summaryNameLength = 100

export interface StartJobDependencies {
  readonly db: Database
  readonly jobs: Pick<JobClient, 'start'>
}

/** Hands an admitted job to Temporal and notes that it was taken. Starting it again changes nothing. */
export async function startJob({ db, jobs }: StartJobDependencies, job: Job): Promise<void> {
  const { id: jobId, accountId, endpoint, mediaName, traceParent } = job
  const summary = mediaName ? `${endpoint} · ${mediaName.slice(0, summaryNameLength)}` : endpoint
  await jobs.start({ jobId, accountId, endpoint, summary, traceParent })
  await markAccepted(db, jobId)
}
