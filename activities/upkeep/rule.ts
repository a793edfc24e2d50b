import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { mapOrAbort, unlessAborted } from '../../src/core/abortable.ts'
import { type Identified, type RowPage, rowId, workThrough } from '../../src/core/concurrency.ts'
import { dayMs } from '../../src/core/time-code.ts'
import type { Dependencies } from '../dependencies.ts'
import { whileBeating } from '../worker/run-activity.ts'

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
  /** Its query, which finds or deletes rows in each pass. `npm run lab -- growth` times it. */
  readonly query: (deps: QueryDependencies) => Promise<unknown>
  /** Returns the number of repaired rows and objects. The next pass does the rest. */
  readonly repair: (deps: Dependencies, pass: UpkeepPass) => Promise<number>
}

type QueryDependencies = Pick<Dependencies, 'db' | 'slotLimits' | 'retentionDays' | 'jobRetentionDays' | 'webhooks'>

/** A rule that finds rows, page by page, and repairs each. */
export function repairRule<Row extends Identified>({
  find,
  repair,
  ...rule
}: Pick<UpkeepRule, 'description' | 'cause'> & {
  readonly find: (deps: QueryDependencies, page: RowPage) => Promise<readonly Row[]>
  readonly repair: (row: Row, deps: Dependencies, pass: UpkeepPass) => Promise<boolean | number>
}): UpkeepRule {
  return {
    ...rule,
    query: (deps) => find(deps, { limit: maxRowsPerPass }),
    repair: (deps, pass) =>
      repairFound(
        (page) => find(deps, page),
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
type Repair<Row> = (row: Row) => Promise<boolean | number>

/** Repairs what `find` finds, up to `maxRowsPerPass` rows in each of its pages, and returns the number of repairs. Fails like `repairEach`. */
export async function repairFound<Row extends Identified>(
  find: (page: RowPage) => Promise<readonly Row[]>,
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

/** Runs rules, by name; each returns how many rows and objects it repaired. */
export type UpkeepRuns = Readonly<Record<string, (signal: AbortSignal) => Promise<number>>>

export interface UpkeepPassResult {
  /** How many rows and objects each rule repaired. */
  readonly repaired: Record<string, number>
  /** The rules that failed. The next pass runs them again. */
  readonly failed: readonly string[]
}

/** The time limit of one rule in one pass. The pass may take longer: workflows/upkeep.ts. */
const ruleMilliseconds = 120_000

/** A rule that fails is run once more, since a broken connection is soon replaced. */
const attempts = 2
const pauseMilliseconds = 1_000

/**
 * Runs every rule once, in parallel. A rule that fails, or exceeds its time limit, is logged and stops no other. All rules are
 * one activity, because Temporal Cloud bills activities.
 */
export async function makeUpkeepPass(
  { logger, metrics }: Pick<Dependencies, 'logger' | 'metrics'>,
  rules: UpkeepRuns,
  limits = { ruleMilliseconds, pauseMilliseconds },
): Promise<UpkeepPassResult> {
  metrics.upkeepPasses.inc()
  return whileBeating(async (signal) => {
    const repaired: Record<string, number> = {}
    const failed: string[] = []
    const run = async ([name, rule]: [string, UpkeepRuns[string]]) => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(limits.ruleMilliseconds)])
      for (let attempt = 1; attempt <= attempts && !limited.aborted; attempt += 1) {
        try {
          repaired[name] = await unlessAborted(rule(limited), limited)
          return
        } catch (error) {
          logger.error({ err: error, rule: name, attempt }, 'upkeep rule failed')
          if (attempt < attempts) await sleep(limits.pauseMilliseconds, undefined, { signal: limited }).catch(() => {})
        }
      }
      failed.push(name)
    }
    await Promise.all(Object.entries(rules).map(run))
    signal.throwIfAborted()
    return { repaired, failed }
  })
}
