import type { Logger } from 'pino'
import { admitWaiting, type SlotLimits } from '../store/admission.ts'
import type { Database } from '../store/database.ts'
import { markDispatched } from '../store/job-changes.ts'
import type { Job } from '../store/jobs.ts'
import type { JobClient } from '../temporal/job-client.ts'

export interface StartJobDependencies {
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

export interface StartNextDependencies extends StartJobDependencies {
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
export async function startAdmitted(deps: StartNextDependencies, admitted: readonly Job[]): Promise<void> {
  const start = (job: Job) =>
    startJob(deps, job).catch((error: unknown) =>
      deps.logger.warn({ jobId: job.id, accountId: job.accountId, err: error }, 'job not started yet'),
    )
  await Promise.all(admitted.map(start))
}
