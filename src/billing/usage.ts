import type { MicroUsd } from '../core/money.ts'
import type { Database } from '../db/database.ts'

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
  /** Whether batches count for the keys that created them. */
  readonly foldsBatches?: boolean
}

export interface UsageRow {
  /** Null if the rows are not grouped by day. */
  readonly day: string | null
  readonly endpoint: string | null
  /** Null also for jobs that were created without a key. */
  readonly keyId: string | null
  /** Of the key, or of the batch or directive that is the key. */
  readonly keyName: string | null
  readonly jobsCompleted: bigint
  readonly jobsFailed: bigint
  readonly billedMilliseconds: bigint
  readonly amountMicroUsd: MicroUsd
}

/**
 * The ended jobs. Each counts on the UTC day of its creation, in the month of its hold, so that the days of a month add up to the
 * amounts of its cap and its invoice.
 */
export async function readUsage(db: Database, query: UsageQuery): Promise<UsageRow[]> {
  const { accountId, from, to, groupBy, limit, foldsBatches = false } = query
  const [byDay, byEndpoint, byKey] = usageGroups.map((group) => groupBy.includes(group))
  return db.$queryRaw<UsageRow[]>`
    SELECT CASE WHEN ${byDay} THEN to_char(day, 'YYYY-MM-DD') END AS day,
      CASE WHEN ${byEndpoint} THEN endpoint END AS endpoint,
      CASE WHEN ${byKey} THEN payer END AS "keyId", CASE WHEN ${byKey} THEN nullif(api_keys.name, '') END AS "keyName",
      sum(jobs_completed)::bigint AS "jobsCompleted", sum(jobs_failed)::bigint AS "jobsFailed",
      sum(billed_milliseconds)::bigint AS "billedMilliseconds", sum(amount_micro_usd)::bigint AS "amountMicroUsd"
    FROM usage_days LEFT JOIN api_keys AS batch ON batch.id = key_id AND batch.id LIKE 'bat_%' AND ${foldsBatches}
      CROSS JOIN LATERAL (SELECT CASE WHEN batch.id IS NULL THEN nullif(key_id, '') ELSE batch.maker_id END AS payer) AS paid
      LEFT JOIN api_keys ON api_keys.id = payer
    WHERE usage_days.account_id = ${accountId} AND day BETWEEN ${from}::date AND ${to}::date
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3 LIMIT ${limit}`
}

/** The sum of the rows. */
export function totalOf(rows: readonly UsageRow[]): Omit<UsageRow, 'day' | 'endpoint' | 'keyId' | 'keyName'> {
  const sum = (field: 'jobsCompleted' | 'jobsFailed' | 'billedMilliseconds' | 'amountMicroUsd') =>
    rows.reduce((total, row) => total + row[field], 0n)
  return {
    jobsCompleted: sum('jobsCompleted'),
    jobsFailed: sum('jobsFailed'),
    billedMilliseconds: sum('billedMilliseconds'),
    amountMicroUsd: sum('amountMicroUsd'),
  }
}
