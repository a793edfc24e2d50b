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
  /** Its query, which finds or deletes rows in each pass. `npm run bench -- growth` times it. */
  readonly query: (deps: QueryDependencies) => Promise<unknown>
  /** Returns the number of repaired rows and objects. The next pass does the rest. */
  readonly repair: (deps: Dependencies, pass: UpkeepPass) => Promise<number>
}

export type QueryDependencies = Pick<Dependencies, 'db' | 'slotLimits' | 'retentionDays' | 'jobRetentionDays'>

/** A rule that finds rows, and repairs what it found. */
export function repairRule<Found>({
  find,
  repair,
  ...rule
}: Pick<UpkeepRule, 'description' | 'cause'> & {
  readonly find: (deps: QueryDependencies) => Promise<Found>
  readonly repair: (found: Found, deps: Dependencies, pass: UpkeepPass) => Promise<number>
}): UpkeepRule {
  return { ...rule, query: find, repair: async (deps, pass) => repair(await find(deps), deps, pass) }
}

/** A rule that only deletes rows, or marks them as deleted. `deleteRows` returns their number. */
export function deletionRule({
  deleteRows,
  ...rule
}: Pick<UpkeepRule, 'description'> & {
  readonly deleteRows: (deps: QueryDependencies) => Promise<number>
}): UpkeepRule {
  return { ...rule, query: deleteRows, repair: deleteRows }
}
