import type { Database } from './database.ts'
import { Prisma } from './generated/client.ts'

/** An attempt of a job's work opens when it begins, and closes however it ends, unless its worker is lost. */
export interface Attempt {
  readonly jobId: string
  /** How many earlier ones of the job are open. */
  readonly openBefore: number
  /** Set by the statement that records its outcome, if that closes it. */
  isClosed: boolean
}

export async function openAttempt(db: Database, jobId: string): Promise<Attempt> {
  const [job] = await db.$queryRaw<{ openBefore: number }[]>`
    UPDATE jobs SET open_attempts = open_attempts + 1 WHERE id = ${jobId} RETURNING open_attempts - 1 AS "openBefore"`
  return { jobId, openBefore: job?.openBefore ?? 0, isClosed: false }
}

export async function closeAttempt(db: Database, attempt: Attempt): Promise<void> {
  if (attempt.isClosed) return
  await db.$executeRaw`UPDATE jobs SET ${closing(attempt)} WHERE id = ${attempt.jobId}`
  attempt.isClosed = true
}

/** What closes the attempt, for the SET of a statement on its job. The caller then sets `isClosed`. Changes nothing without an attempt. */
export function closing(attempt: Attempt | undefined): Prisma.Sql {
  return attempt
    ? Prisma.sql`open_attempts = greatest(open_attempts - 1, 0)`
    : Prisma.sql`open_attempts = open_attempts`
}
