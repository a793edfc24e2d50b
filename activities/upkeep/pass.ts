import { setTimeout as sleep } from 'node:timers/promises'
import { unlessAborted } from '../../src/core/abortable.ts'
import type { Dependencies } from '../dependencies.ts'
import { whileBeating } from '../worker/heartbeat.ts'

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
