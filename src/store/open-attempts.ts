import type { Database } from './database.ts'
import { Prisma } from './generated/client.ts'
import { type EarlierEnds, earlierEnds } from './worker-ends.ts'

/** What happened before an attempt. */
export interface AttemptHistory extends EarlierEnds {
  /** How many earlier attempts are open. */
  readonly openBefore: number
}

/** An attempt of a job's work opens when it begins, and closes however it ends, unless its worker is lost. */
export interface Attempt extends AttemptHistory {
  readonly jobId: string
  /** Set by the statement that records its outcome, if that closes it. */
  isClosed: boolean
}

export async function openAttempt(db: Database, jobId: string): Promise<Attempt> {
  const [job] = await db.$queryRaw<AttemptHistory[]>`
    UPDATE jobs SET open_attempts = open_attempts + 1 WHERE id = ${jobId}
    RETURNING open_attempts - 1 AS "openBefore", ${earlierEnds}`
  return { ...{ openBefore: 0, workerEnds: 0, accountEnds: 0 }, ...job, jobId, isClosed: false }
}

export async function closeAttempt(db: Database, attempt: Attempt): Promise<void> {
  if (attempt.isClosed) return
  await db.$executeRaw`UPDATE jobs SET ${closing(attempt)} WHERE id = ${attempt.jobId}`
  attempt.isClosed = true
}

/** What closes the attempt, for the SET of a statement on its job. Afterwards, the caller sets `isClosed`. Changes nothing without an attempt. */
export function closing(attempt: Attempt | undefined): Prisma.Sql {
  return attempt
    ? Prisma.sql`open_attempts = greatest(open_attempts - 1, 0)`
    : Prisma.sql`open_attempts = open_attempts`
}
