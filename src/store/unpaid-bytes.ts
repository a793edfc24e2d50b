import { daySeconds } from '../core/durations.ts'
import { ServiceError } from '../core/errors.ts'
import { describeBytes } from '../core/text.ts'
import { Prisma } from './generated/client.ts'
import { takenSql } from './quotas.ts'

// Jobs without a charge pass every gate of money. What they store in the database is therefore counted for each account and day.

/** What an account's jobs without a charge have stored in the current window. Null without one. */
export interface UnpaidUse {
  readonly unpaidBytes: bigint | null
  /** Until the window ends. */
  readonly unpaidSeconds: number | null
}

function subjectOf(accountId: string): string {
  return `unpaid ${accountId}`
}

/** The columns of an `UnpaidUse`. */
export function unpaidUse(accountId: string): Prisma.Sql {
  const ofWindow = (column: Prisma.Sql) =>
    Prisma.sql`(SELECT ${column} FROM quota_windows WHERE subject = ${subjectOf(accountId)} AND ends_at > now())`
  const seconds = Prisma.sql`ceil(extract(epoch FROM ends_at - now()))::int`
  return Prisma.sql`${ofWindow(Prisma.sql`used`)} AS "unpaidBytes", ${ofWindow(seconds)} AS "unpaidSeconds"`
}

/** Throws `rate_limited` once the jobs have stored this many bytes. Jobs that are open already may still store theirs. */
export function assertUnpaidFit({ unpaidBytes, unpaidSeconds }: UnpaidUse, maxBytes: number): void {
  if (Number(unpaidBytes ?? 0) < maxBytes) return
  throw new ServiceError(
    'rate_limited',
    `Jobs of this account that cost nothing may store ${describeBytes(maxBytes)} of settings and results a day, and have stored as much. Create further jobs after the number of seconds in Retry-After.`,
    { retryAfterSeconds: Math.max(1, unpaidSeconds ?? 1) },
  )
}

/** The bytes that a job without a charge stores, for the RETURNING of a statement on `jobs`. The settings of its run count with each of its steps. */
export const unpaidBytesOfJob = Prisma.sql`
  CASE WHEN final_micro_usd = 0 THEN
    octet_length(settings::text) + coalesce(octet_length(result::text), 0) + coalesce(octet_length(metadata::text), 0)
      + coalesce((SELECT octet_length(workflow_runs.settings::text) FROM workflow_runs WHERE workflow_runs.id = jobs.run_id), 0)
  END AS "unpaidBytes"`

/** Counts `unpaidBytes` of the part `ended`, for the WITH of a statement. What an open job stores is never refused. */
export function countUnpaidSql(accountId: string): Prisma.Sql[] {
  const payer = Prisma.sql`
    payer AS (SELECT ${subjectOf(accountId)} AS subject, "unpaidBytes" FROM ended WHERE "unpaidBytes" IS NOT NULL)`
  const quota = { limit: Number.MAX_SAFE_INTEGER, windowSeconds: daySeconds }
  return [payer, takenSql(quota, Prisma.sql`"unpaidBytes"`)]
}
