import { tokenPattern } from '../core/file-names.ts'
import { admitWaiting, type SlotLimits } from '../store/admission.ts'
import type { Database } from '../store/database.ts'
import { markDispatched } from '../store/job-changes.ts'
import type { Job } from '../store/jobs.ts'
import type { JobClient } from '../temporal/job-client.ts'

/** Temporal limits summaries to 400 bytes, and a character can take three. */
const summaryNameLength = 100

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

/** The summary of a workflow for operators. */
export function summaryOf(
  { endpoint, mediaKey, mediaName }: Pick<Job, 'endpoint' | 'mediaKey' | 'mediaName'>,
  what = endpoint,
): string {
  const isShown = mediaName !== null && (mediaKey !== null || cannotBeSecret(mediaName))
  return isShown ? `${what} · ${mediaName.slice(0, summaryNameLength)}` : what
}

/** A URL's last part is shown only if it looks like a media file's name and not like a token. */
function cannotBeSecret(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,60}\.[a-z0-9]{2,4}$/i.test(name) && !tokenPattern.test(name)
}

export interface StartNextDependencies extends StartJobDependencies {
  readonly slotLimits: SlotLimits
}

/** Assigns the account's free slots to its oldest waiting jobs, and starts them. Throws the first failure after all starts. */
export async function startNextJobs(deps: StartNextDependencies, accountId: string): Promise<number> {
  const admitted = await admitWaiting(deps.db, accountId, deps.slotLimits)
  const starts = await Promise.allSettled(admitted.map((job) => startJob(deps, job)))
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) throw failed.reason
  return admitted.length
}
