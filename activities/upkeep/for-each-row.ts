import type { Logger } from 'pino'
import type { Dependencies } from '../dependencies.ts'

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

/** Newer rows may still be handled by the process that created them. */
export const graceSeconds = 5

/** Per rule; the next pass handles the rest. */
export const maxRowsPerPass = 500

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000)
}

/** One pass of a rule. */
export interface UpkeepPass {
  readonly logger: Logger
  /** Aborts when the pass has run out of time or the worker stops. */
  readonly signal: AbortSignal
}

/** Repairs or deletes one kind of rows and objects. */
export interface UpkeepRule {
  /** For operators, in docs/operations.md. */
  readonly description: string
  /** What leaves rows to repair; what the rule finds is then logged as a warning. Undefined: the rule has work every day. */
  readonly cause?: string
  /** Returns the number of repaired rows and objects. The next pass does the rest. */
  readonly repair: (deps: Dependencies, pass: UpkeepPass) => Promise<number>
}
