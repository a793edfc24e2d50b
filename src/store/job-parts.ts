import type { Database } from './database.ts'
import type { AttemptHistory } from './open-attempts.ts'
import { stageFolder } from './staged-folders.ts'
import { findEarlierEnds } from './worker-ends.ts'

/** A part of a job's work. */
export interface JobPart {
  readonly jobId: string
  /** The folder of the job's pieces. */
  readonly folder: string
  readonly part: number
  /** Of the job's progress, 0 to 1. */
  readonly share: number
}

/** Opens an attempt of a part. */
export async function openPartAttempt(db: Database, { jobId, folder, part, share }: JobPart): Promise<AttemptHistory> {
  await stageFolder(db, jobId, folder)
  const { openAttempts } = await db.jobPart.upsert({
    where: { folder_part: { folder, part } },
    create: { folder, part, share, attempts: 1, openAttempts: 1 },
    update: { attempts: { increment: 1 }, openAttempts: { increment: 1 } },
    select: { openAttempts: true },
  })
  return { openBefore: openAttempts - 1, ...(await findEarlierEnds(db, jobId)) }
}

export async function closePartAttempt(db: Database, { folder, part }: JobPart): Promise<void> {
  await db.jobPart.updateMany({ where: { folder, part }, data: { openAttempts: { decrement: 1 } } })
}

/** Adds what a worker fetched of the media for a part, or for the plan. */
export async function addFetchedBytes(db: Database, jobId: string, bytes: number): Promise<void> {
  await db.job.updateMany({ where: { id: jobId }, data: { fetchedBytes: { increment: bytes } } })
}

/** Records the progress of a part, and that of its job as the sum of its parts'. Neither ever decreases. */
export async function recordPartProgress(
  db: Database,
  { jobId, folder, part, share }: JobPart,
  progress: number,
): Promise<void> {
  await db.$executeRaw`
    WITH own AS (
      UPDATE job_parts SET progress = greatest(progress, ${progress}::float8) WHERE folder = ${folder} AND part = ${part}
    ), total AS (
      SELECT least(1, ${share}::float8 * ${progress}::float8 + coalesce(sum(share * progress), 0)) AS progress
      FROM job_parts WHERE folder = ${folder} AND part <> ${part}
    )
    UPDATE jobs SET progress = total.progress FROM total
    WHERE id = ${jobId} AND status = 'running' AND jobs.progress < total.progress`
}
