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
  const left = [...rows]
  const failures: unknown[] = []
  let repaired = 0
  const work = async () => {
    for (let row = left.shift(); row !== undefined && !signal.aborted; row = left.shift()) {
      try {
        if (await repair(row)) repaired += 1
      } catch (error) {
        logger.error({ err: error, row: typeof row === 'string' ? row : row.id }, 'not repaired')
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  signal.throwIfAborted()
  if (failures.length > 0 && failures.length === rows.length) throw failures[0]
  return repaired
}
