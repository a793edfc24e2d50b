import { Prisma } from '../db/generated/client.ts'
import { timestamp } from '../db/rows.ts'
import type { Metadata } from './job-rows.ts'

/** The last row of the previous page. */
export interface ListPosition {
  readonly createdAt: Date
  readonly id: string
}

/** The filters that lists of jobs and of runs share. Each has an index with the account's rows in the order of the list. */
export interface AskedFilter {
  readonly mediaName?: string | undefined
  readonly metadata?: Metadata | undefined
  /** Inclusive. */
  readonly createdAfter?: Date | undefined
  /** Exclusive. */
  readonly createdBefore?: Date | undefined
}

export interface ListInput<Filter> {
  readonly limit: number
  readonly after?: ListPosition | undefined
  readonly filter: Filter
}

/** The conditions for the rows of an account after a position, without deleted ones. Prisma's own filters of JSON and of positions use no index. */
export function listConditions(
  accountId: string,
  { after, filter }: Pick<ListInput<AskedFilter>, 'after' | 'filter'>,
): Prisma.Sql[] {
  const { mediaName, metadata, createdAfter, createdBefore } = filter
  const conditions = [
    Prisma.sql`account_id = ${accountId}`,
    Prisma.sql`deleted_at IS NULL`,
    after && Prisma.sql`(created_at, id) < (${timestamp(after.createdAt)}, ${after.id})`,
    createdAfter && Prisma.sql`created_at >= ${timestamp(createdAfter)}`,
    createdBefore && Prisma.sql`created_at < ${timestamp(createdBefore)}`,
    mediaName !== undefined && Prisma.sql`media_name = ${mediaName}`,
    metadata && Prisma.sql`metadata @> ${JSON.stringify(metadata)}::jsonb`,
  ]
  return conditions.flatMap((condition) => condition || [])
}

export const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

/** The page's ids, newest first. */
export function selectPage(table: Prisma.Sql, conditions: readonly Prisma.Sql[], limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT id FROM ${table} WHERE ${Prisma.join([...conditions], ' AND ')}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`
}
