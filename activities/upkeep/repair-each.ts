import { mapOrAbort } from '../../src/core/abortable.ts'
import type { UpkeepPass } from './rule.ts'

const concurrency = 8

/**
 * Repairs rows in parallel, each on its own, and returns how many `repair` changed. A row that fails is logged and left for the
 * next pass; if every row fails, throws the first error. Starts no further row when the signal aborts.
 */
export async function repairEach<Row extends string | { readonly id: string }>(
  rows: readonly Row[],
  { logger, signal }: UpkeepPass,
  repair: (row: Row) => Promise<boolean>,
): Promise<number> {
  const failures: unknown[] = []
  const outcomes = await mapOrAbort(signal, { items: rows, concurrency }, async (row) => {
    try {
      return await repair(row)
    } catch (error) {
      logger.error({ err: error, row: typeof row === 'string' ? row : row.id }, 'not repaired')
      failures.push(error)
      return false
    }
  })
  if (failures.length > 0 && failures.length === rows.length) throw failures[0]
  return outcomes.filter((isRepaired) => isRepaired).length
}
