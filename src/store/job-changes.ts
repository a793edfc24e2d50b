import type { MediaInfo } from '../core/media.ts'
import type { Database } from './database.ts'
import { mediaInfoSchema } from './job-documents.ts'
import { getJob, type Job, jobColumns, omitResult } from './jobs.ts'
import { type Attempt, closing } from './open-attempts.ts'
import { jsonText, timestamp } from './rows.ts'

/** Records that Temporal has the workflow. From then on, the workflow decides what happens to the job. */
export async function markDispatched(db: Database, jobId: string): Promise<void> {
  await db.job.updateMany({ where: { id: jobId, dispatchedAt: null }, data: { dispatchedAt: new Date() } })
}

/** Records the cancellation request; the workflow acts on it. */
export async function requestCancellation(db: Database, jobId: string): Promise<void> {
  await db.job.updateMany({
    where: { id: jobId, cancelRequestedAt: null, endedAt: null },
    data: { cancelRequestedAt: new Date() },
  })
}

/** `queued → running`; a running or ended job does not change. `startedNow`: whether this call changed it. */
export async function markRunning(
  db: Database,
  jobId: string,
  startedAt = new Date(),
): Promise<Job & { readonly startedNow: boolean }> {
  const [started] = await db.job.updateManyAndReturn({
    where: { id: jobId, status: 'queued' },
    data: { status: 'running', startedAt },
    ...omitResult,
  })
  return { ...(started ?? (await getJob(db, jobId))), startedNow: started !== undefined }
}

export interface RunAttempt {
  readonly job: Job
  readonly attempt: Attempt
  /** Whether this attempt is the first work on the job. */
  readonly startedNow: boolean
}

/** Opens an attempt of a job's run, and marks the job as running, like `markRunning`. Undefined if the job has ended or has a draft. */
export async function openRunAttempt(db: Database, jobId: string): Promise<RunAttempt | undefined> {
  const now = timestamp(new Date())
  const [found] = await db.$queryRaw<[(Job & { readonly startedNow: boolean })?]>`
    UPDATE jobs SET status = 'running', started_at = coalesce(started_at, ${now}), open_attempts = open_attempts + 1
    WHERE id = ${jobId} AND ended_at IS NULL AND draft IS NULL
    RETURNING ${jobColumns}, started_at = ${now} AS "startedNow"`
  if (!found) return undefined
  const { startedNow, ...job } = found
  return { job, attempt: { jobId, openBefore: job.openAttempts - 1, isClosed: false }, startedNow }
}

/** Also records the version of the bytes, if there is one, and closes the attempt that read them. */
export async function recordMediaInfo(
  db: Database,
  jobId: string,
  info: MediaInfo,
  mediaVersion: string | null = null,
  attempt?: Attempt,
): Promise<void> {
  const mediaInfo = jsonText(mediaInfoSchema.parse(info))
  const count = await db.$executeRaw`
    UPDATE jobs SET media_info = ${mediaInfo}, media_version = ${mediaVersion}, ${closing(attempt)}
    WHERE id = ${jobId} AND ended_at IS NULL`
  if (count === 1 && attempt) attempt.isClosed = true
}

export async function recordProgress(db: Database, jobId: string, progress: number): Promise<void> {
  await db.job.updateMany({ where: { id: jobId, status: 'running', progress: { lt: progress } }, data: { progress } })
}
