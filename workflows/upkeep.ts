import { ApplicationFailure, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'

/** How many each rule repaired. */
export type UpkeepReport = Record<string, number>

const { listUpkeepRules } = proxyActivities<Activities>({ startToCloseTimeout: '10 seconds' })

/** A rule that failed has its next turn in seconds: it is tried twice only. */
const repair = proxyActivities<Record<string, () => Promise<number>>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { maximumAttempts: 2 },
})

/** Repairs what outages and operators left between rows, Temporal and storage: each rule alone, side by side. A schedule runs it. */
export async function upkeep(): Promise<UpkeepReport> {
  const rules = await listUpkeepRules()
  const results = await Promise.allSettled(rules.map(async (rule) => repair[rule]?.() ?? 0))
  const failed = rules.filter((_, index) => results[index]?.status === 'rejected')
  if (failed.length > 0)
    throw ApplicationFailure.nonRetryable(`These rules failed: ${failed.join(', ')}`, 'upkeep_failed')
  const repaired = results.map((result) => (result.status === 'fulfilled' ? result.value : 0))
  return Object.fromEntries(rules.map((rule, index) => [rule, repaired[index] ?? 0]))
}
