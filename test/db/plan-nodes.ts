import { z } from 'zod'
import type { Database } from '../../src/db/database.ts'
import type { Prisma } from '../../src/db/generated/client.ts'

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string | undefined
  readonly 'Index Name'?: string | undefined
  readonly 'Rows Removed by Filter'?: number | undefined
  readonly 'Rows Removed by Index Recheck'?: number | undefined
  readonly Plans?: readonly PlanNode[] | undefined
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Rows Removed by Filter': z.number().optional(),
    'Rows Removed by Index Recheck': z.number().optional(),
    Plans: z.array(planNode).optional(),
  }),
)

/** The nodes of the plan by which the database ran the query. */
export async function nodesOf(db: Database, query: Prisma.Sql): Promise<PlanNode[]> {
  const [row] = await db.$queryRaw<{ 'QUERY PLAN': unknown }[]>`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`
  const [{ Plan }] = z.tuple([z.object({ Plan: planNode })]).parse(row?.['QUERY PLAN'])
  const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)]
  return all(Plan)
}
