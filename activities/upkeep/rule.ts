import type { Logger } from 'pino'
import type { Dependencies } from '../dependencies.ts'

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
