import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'

export interface UpkeepInput {
  readonly passes: number
  /** Between two passes. */
  readonly pauseSeconds: number
}

/** How many rows and objects each rule repaired. */
export type UpkeepReport = Record<string, number>

const { listUpkeepRules } = proxyActivities<Activities>({ startToCloseTimeout: '10 seconds' })

/** A rule that fails runs again in the next pass, so two attempts are enough. */
const repair = proxyActivities<Record<string, () => Promise<number>>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { maximumAttempts: 2 },
})

/**
 * Repairs what outages and operators left between rows, Temporal and storage, pass after pass. The schedule starts the next
 * run when this one ends, so that a run stays short and moves to a new version of the workers. Without input, makes one pass.
 */
export async function upkeep(
  { passes, pauseSeconds }: UpkeepInput = { passes: 1, pauseSeconds: 0 },
): Promise<UpkeepReport> {
  const total: UpkeepReport = {}
  const failedRules = new Set<string>()
  for (let pass = 1; ; pass += 1) {
    const { repaired, failed } = await runRules()
    for (const [rule, count] of Object.entries(repaired)) total[rule] = (total[rule] ?? 0) + count
    for (const rule of failed) failedRules.add(rule)
    setCurrentDetails(`Pass ${pass} of ${passes}, ${new Date().toISOString()}: ${describePass({ repaired, failed })}`)

    if (pass >= passes) break
    await sleep(pauseSeconds * 1000)
    if (workflowInfo().targetWorkerDeploymentVersionChanged) break
  }
  if (failedRules.size === 0) return total
  throw ApplicationFailure.nonRetryable(`These rules failed: ${[...failedRules].join(', ')}`, 'upkeep_failed')
}

interface PassOutcome {
  readonly repaired: UpkeepReport
  readonly failed: readonly string[]
}

/** Runs every rule once, in parallel. A failed rule stops no other. */
async function runRules(): Promise<PassOutcome> {
  const rules = await listUpkeepRules()
  const results = await Promise.allSettled(rules.map(async (rule) => repair[rule]?.() ?? 0))
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('Upkeep was canceled.')
  const outcomes = rules.map((rule, index) => ({ rule, result: results[index] }))
  return {
    repaired: Object.fromEntries(
      outcomes.flatMap(({ rule, result }) => (result?.status === 'fulfilled' ? [[rule, result.value]] : [])),
    ),
    failed: outcomes.flatMap(({ rule, result }) => (result?.status === 'rejected' ? [rule] : [])),
  }
}

/** A line such as `deleteDeadObjects 2; failed: sendNotices`. */
function describePass({ repaired, failed }: PassOutcome): string {
  const found = Object.entries(repaired).flatMap(([rule, count]) => (count > 0 ? [`${rule} ${count}`] : []))
  const parts = [
    ...(found.length > 0 ? [found.join(', ')] : []),
    ...(failed.length > 0 ? [`failed: ${failed.join(', ')}`] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : 'nothing to repair'
}
