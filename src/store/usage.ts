import type { MicroUsd } from '../core/money.ts'
import type { Database } from './database.ts'

export const usageGroups = ['day', 'endpoint', 'key'] as const
export type UsageGroup = (typeof usageGroups)[number]

export interface UsageQuery {
  readonly accountId: string
  /** UTC days, `YYYY-MM-DD`, inclusive. */
  readonly from: string
  readonly to: string
  readonly groupBy: readonly UsageGroup[]
  /** The maximum number of rows. */
  readonly limit: number
}

export interface UsageRow {
  /** Null if the rows are not grouped by day. */
  readonly day: string | null
  readonly endpoint: string | null
  /** Null also for jobs that were created without a key. */
  readonly keyId: string | null
  readonly jobsCompleted: bigint
  readonly jobsFailed: bigint
  readonly billedMilliseconds: bigint
  readonly amountMicroUsd: MicroUsd
}

/**
 * The ended jobs, read from the entries that ended their holds: a capture belongs to a completed job and is its amount, a
 * release belongs to a failed job. A job counts on the day of its creation, in the month of its hold, so that the days of a
 * month add up to the amounts of its cap and its invoice.
 */
export async function readUsage(db: Database, query: UsageQuery): Promise<UsageRow[]> {
  const { accountId, from, to, groupBy, limit } = query
  const [byDay, byEndpoint, byKey] = usageGroups.map((group) => groupBy.includes(group))
  return db.$queryRaw<UsageRow[]>`
    WITH ended AS (
      SELECT kind, endpoint, api_key_id, billed_milliseconds, credit_micro_usd + billable_micro_usd AS amount,
        least(greatest((jobs.created_at AT TIME ZONE 'UTC')::date, first), (first + interval '1 month')::date - 1) AS day
      FROM ledger_entries JOIN jobs ON jobs.id = ends_hold_of, to_date(month, 'YYYY-MM') AS first
      WHERE ledger_entries.account_id = ${accountId} AND jobs.account_id = ${accountId}
        AND month BETWEEN ${from.slice(0, 7)} AND ${to.slice(0, 7)}
        -- No entry is older than its month, by clocks that differ by less than a day: the index by time skips older ones.
        AND ledger_entries.created_at >= to_date(${from.slice(0, 7)}, 'YYYY-MM') - interval '1 day'
    )
    SELECT CASE WHEN ${byDay} THEN to_char(day, 'YYYY-MM-DD') END AS day,
      CASE WHEN ${byEndpoint} THEN endpoint END AS endpoint,
      CASE WHEN ${byKey} THEN api_key_id END AS "keyId",
      count(*) FILTER (WHERE kind = 'capture') AS "jobsCompleted",
      count(*) FILTER (WHERE kind = 'release') AS "jobsFailed",
      coalesce(sum(billed_milliseconds) FILTER (WHERE kind = 'capture'), 0)::bigint AS "billedMilliseconds",
      coalesce(sum(amount) FILTER (WHERE kind = 'capture'), 0)::bigint AS "amountMicroUsd"
    FROM ended WHERE day BETWEEN ${from}::date AND ${to}::date
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LIMIT ${limit}`
}

/** The sum of the rows. */
export function totalOf(rows: readonly UsageRow[]): Omit<UsageRow, 'day' | 'endpoint' | 'keyId'> {
  const sum = (field: 'jobsCompleted' | 'jobsFailed' | 'billedMilliseconds' | 'amountMicroUsd') =>
    rows.reduce((total, row) => total + row[field], 0n)
  return {
    jobsCompleted: sum('jobsCompleted'),
    jobsFailed: sum('jobsFailed'),
    billedMilliseconds: sum('billedMilliseconds'),
    amountMicroUsd: sum('amountMicroUsd'),
  }
}
