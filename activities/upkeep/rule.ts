import { dayMs } from '../../src/core/durations.ts'
import type { Identified } from '../../src/core/work-through.ts'
import type { Dependencies } from '../dependencies.ts'
import { maxRowsPerPass, repairFound, type UpkeepPass } from './repair-each.ts'

/** Newer rows may still be handled by the process that created them. */
export const graceSeconds = 5

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * dayMs)
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

/** A rule that finds rows, without those of earlier pages, and repairs each. */
export function repairRule<Row extends Identified>({
  find,
  repair,
  ...rule
}: Pick<UpkeepRule, 'description' | 'cause'> & {
  readonly find: (deps: QueryDependencies, except: readonly string[]) => Promise<readonly Row[]>
  readonly repair: (row: Row, deps: Dependencies, pass: UpkeepPass) => Promise<boolean | number>
}): UpkeepRule {
  return {
    ...rule,
    query: (deps) => find(deps, []),
    repair: (deps, pass) =>
      repairFound(
        (except) => find(deps, except),
        pass,
        (row) => repair(row, deps, pass),
      ),
  }
}

/** A rule that only deletes rows, or marks them as deleted. `deleteRows` changes at most `limit` rows, and returns their number. */
export function deletionRule({
  deleteRows,
  ...rule
}: Pick<UpkeepRule, 'description'> & {
  readonly deleteRows: (deps: QueryDependencies, limit: number) => Promise<number>
}): UpkeepRule {
  const query = (deps: QueryDependencies) => deleteRows(deps, maxRowsPerPass)
  return { ...rule, query, repair: query }
}
