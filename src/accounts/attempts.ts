import { createHash } from 'node:crypto'
import type { Database } from '../store/database.ts'
import { giveQuotaBack, takeFromQuota } from '../store/quotas.ts'

export interface AttemptLimit {
  /** What is counted, such as `['sign-in', email]`. */
  readonly of: readonly [what: string, who: string]
  readonly most: number
  readonly withinSeconds: number
}

/** Counts one more attempt, for all API processes together. Gives the seconds to wait where it was one too many. */
export async function countAttempt(db: Database, { of, most, withinSeconds }: AttemptLimit) {
  const quota = { subject: subjectOf(of), limit: most, windowSeconds: withinSeconds }
  const { fits, resetSeconds } = await takeFromQuota(db, quota)
  return fits ? undefined : resetSeconds
}

/** After a success: what came before it was no guessing. */
export async function forgetAttempts(db: Database, of: AttemptLimit['of']): Promise<void> {
  await giveQuotaBack(db, subjectOf(of))
}

/** Names nobody, whoever reads the counts. */
function subjectOf([what, who]: AttemptLimit['of']): string {
  return `${what} ${createHash('sha256').update(who).digest('base64url')}`
}
