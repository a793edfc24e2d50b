import type { MediaInfo } from '../core/media.ts'
import type { Database } from './database.ts'
import { mediaInfoSchema } from './job-documents.ts'
import { getJob, type Job, omitResult } from './jobs.ts'

/** Records that Temporal has the workflow, which is the truth from now on. */
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

/** Also records the version of the bytes, if there is one. */
export async function recordMediaInfo(
  db: Database,
  jobId: string,
  info: MediaInfo,
  mediaVersion: string | null = null,
): Promise<void> {
  const mediaInfo = mediaInfoSchema.parse(info)
  await db.job.updateMany({ where: { id: jobId, endedAt: null }, data: { mediaInfo, mediaVersion } })
}

export async function recordProgress(db: Database, jobId: string, progress: number): Promise<void> {
  await db.job.updateMany({ where: { id: jobId, status: 'running', progress: { lt: progress } }, data: { progress } })
}
