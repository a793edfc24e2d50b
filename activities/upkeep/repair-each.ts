import type { Logger } from 'pino'
import { mapOrAbort } from '../../src/core/abortable.ts'
import { type Identified, rowId, workThrough } from '../../src/core/work-through.ts'

const concurrency = 8

/** Per run of a rule. A rule that repaired as many runs again in the same pass, for a while; the next pass handles the rest. */
export const maxRowsPerPass = 500

/** One pass of a rule. */
export interface UpkeepPass {
  readonly logger: Logger
  /** Aborts when the pass has run out of time or the worker stops. */
  readonly signal: AbortSignal
}

/** Repairs a row. Returns whether it changed, or how many it repaired. */
export type Repair<Row> = (row: Row) => Promise<boolean | number>

/** Repairs what `find` finds, up to `maxRowsPerPass` rows in each of its pages, and returns the number of repairs. Fails like `repairEach`. */
export async function repairFound<Row extends Identified>(
  find: (except: readonly string[]) => Promise<readonly Row[]>,
  pass: UpkeepPass,
  repair: Repair<Row>,
): Promise<number> {
  let repaired = 0
  const failures: unknown[] = []
  const { found } = await workThrough({
    find,
    work: async (rows) => {
      const attempted = await attemptEach(rows, pass, repair)
      failures.push(...attempted.failures)
      repaired += sumOf(attempted.repairs)
      return attempted.repairs.filter((count) => count > 0).length
    },
    pageSize: maxRowsPerPass,
    maxDone: maxRowsPerPass,
  })
  if (failures.length > 0 && failures.length === found) throw failures[0]
  return repaired
}

/**
 * Repairs rows in parallel, each on its own, and returns how many `repair` changed. A row that fails is logged and left for the
 * next pass; if every row fails, throws the first error. Starts no further row when the signal aborts.
 */
export async function repairEach<Row extends Identified>(
  rows: readonly Row[],
  pass: UpkeepPass,
  repair: Repair<Row>,
): Promise<number> {
  const { repairs, failures } = await attemptEach(rows, pass, repair)
  if (failures.length > 0 && failures.length === rows.length) throw failures[0]
  return sumOf(repairs)
}

async function attemptEach<Row extends Identified>(
  rows: readonly Row[],
  { logger, signal }: UpkeepPass,
  repair: Repair<Row>,
) {
  const failures: unknown[] = []
  const repairs = await mapOrAbort(signal, { items: rows, concurrency }, async (row) => {
    try {
      return Number(await repair(row))
    } catch (error) {
      logger.error({ err: error, row: rowId(row) }, 'not repaired')
      failures.push(error)
      return 0
    }
  })
  return { repairs, failures }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
