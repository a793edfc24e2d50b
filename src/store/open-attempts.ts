import type { Database } from './database.ts'

// An attempt of a job's work opens when it begins, and closes however it ends, unless its worker is lost.

/** Opens an attempt. Returns how many of the job were open before. */
export async function openAttempt(db: Database, jobId: string): Promise<number> {
  const { openAttempts } = await db.job.update({
    where: { id: jobId },
    data: { openAttempts: { increment: 1 } },
    select: { openAttempts: true },
  })
  return openAttempts - 1
}

export async function closeAttempt(db: Database, jobId: string): Promise<void> {
  await db.job.updateMany({ where: { id: jobId }, data: { openAttempts: { decrement: 1 } } })
}
