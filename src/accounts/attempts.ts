import { createHash } from 'node:crypto'
import type { Database } from '../store/database.ts'

export interface AttemptLimit {
  /** What is counted, such as `['sign-in', email]`. */
  readonly of: readonly [what: string, who: string]
  readonly most: number
  readonly withinSeconds: number
}

/** Counts one more attempt, for all API processes together. Gives the seconds to wait where it was one too many. */
export async function countAttempt(db: Database, { of, most, withinSeconds }: AttemptLimit) {
  const [counted] = await db.$queryRaw<{ count: number; seconds: number }[]>`
    INSERT INTO attempt_counts AS counted (key, count, expires_at)
    VALUES (${keyOf(of)}, 1, now() + ${withinSeconds} * interval '1 second')
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN counted.expires_at > now() THEN counted.count + 1 ELSE 1 END,
      expires_at = CASE WHEN counted.expires_at > now() THEN counted.expires_at ELSE excluded.expires_at END
    RETURNING count, ceil(extract(epoch FROM expires_at - now()))::int AS seconds`
  return counted && counted.count > most ? Math.max(1, counted.seconds) : undefined
}

/** After a success: what came before it was no guessing. */
export async function forgetAttempts(db: Database, of: AttemptLimit['of']): Promise<void> {
  await db.attemptCount.deleteMany({ where: { key: keyOf(of) } })
}

function keyOf(of: AttemptLimit['of']): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(JSON.stringify(of)).digest())
}
