import type { Dependencies } from '../dependencies.ts'
import type { UpkeepRun } from './index.ts'

const atOnce = 8

/**
 * Repairs the rows side by side, each alone, and tells how many were repaired. A row that fails is logged and left for the
 * next time; where nothing but failures came, the first of them is thrown. Begins no further row once the signal aborts.
 */
export async function repairEach<Row extends string | { readonly id: string }>(
  rows: readonly Row[],
  { logger, signal }: UpkeepRun,
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
  await Promise.all(Array.from({ length: atOnce }, work))
  signal.throwIfAborted()
  if (failures.length > 0 && failures.length === rows.length) throw failures[0]
  return repaired
}

/** What is younger is still in the hands of whoever made it. */
export const graceSeconds = 5

/** Rows of one rule and run; the rest has its turn in the next run. */
export const maxRowsPerPass = 500

/** What was made before is deleted. */
export function endOfRetention({ retentionDays }: Pick<Dependencies, 'retentionDays'>): Date {
  return new Date(Date.now() - retentionDays * 86_400_000)
}
