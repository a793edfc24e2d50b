import { ApplicationFailure, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { UpkeepPassResult } from '../activities/upkeep/rule.ts'

export interface UpkeepInput {
  readonly passes: number
  /** Between two passes. */
  readonly pauseSeconds: number
}

/** How many rows and objects each rule repaired. */
export type UpkeepReport = Record<string, number>

/** A pass does not fail when a rule does: it reports that. It fails only if its worker is lost, and another worker then repeats it. */
const { upkeepPass } = proxyActivities<Activities>({
  startToCloseTimeout: '150 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '30 seconds' },
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
    const { repaired, failed } = await upkeepPass()
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

/** A line such as `deleteDeadObjects 2; failed: sendNotices`. */
function describePass({ repaired, failed }: UpkeepPassResult): string {
  const found = Object.entries(repaired).flatMap(([rule, count]) => (count > 0 ? [`${rule} ${count}`] : []))
  const parts = [
    ...(found.length > 0 ? [found.join(', ')] : []),
    ...(failed.length > 0 ? [`failed: ${failed.join(', ')}`] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : 'nothing to repair'
}
