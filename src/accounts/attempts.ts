import { createHash } from 'node:crypto'
import type { Database } from '../store/database.ts'
import { resetQuota, takeFromQuota } from '../store/quotas.ts'

export interface AttemptLimit {
  /** What is counted, such as `['sign-in', email]`. */
  readonly of: readonly [what: string, who: string]
  readonly maxAttempts: number
  readonly withinSeconds: number
}

/** Counts an attempt, over all API processes. Returns the seconds to wait if it exceeds the limit. */
export async function countAttempt(db: Database, { of, maxAttempts, withinSeconds }: AttemptLimit) {
  const quota = { subject: subjectOf(of), limit: maxAttempts, windowSeconds: withinSeconds }
  const { fits, resetSeconds } = await takeFromQuota(db, quota)
  return fits ? undefined : resetSeconds
}

/** Resets the count after a success: the earlier attempts were not guesses. */
export async function forgetAttempts(db: Database, of: AttemptLimit['of']): Promise<void> {
  await resetQuota(db, subjectOf(of))
}

/** A hash, so that the counts do not reveal addresses. */
function subjectOf([what, who]: AttemptLimit['of']): string {
  return `${what} ${createHash('sha256').update(who).digest('base64url')}`
}
