import type { Dependencies } from '../dependencies.ts'
import {
  deleteDeadObjects,
  deleteExpiredAnalyses,
  deleteExpiredBatches,
  deleteExpiredJobs,
  deleteExpiredOutputs,
  deleteExpiredUploads,
  eraseAccounts,
  finishDeletions,
  forgetBillingEvents,
  forgetEndedShares,
  forgetEvents,
  forgetExpiredSignIns,
  forgetIdempotencyKeys,
  forgetNotices,
  forgetProbes,
  forgetQuotas,
  forgetUnconfirmedUsers,
  forgetWorkerEnds,
  sealSecretsAgain,
  sendNotices,
} from './forget.ts'
import {
  admitWaitingJobs,
  endAbandonedJobs,
  endAbandonedRuns,
  recordArrivals,
  resendCancellations,
  startAdmittedJobs,
  startDueDeliveries,
  startWaitingItems,
} from './repair.ts'
import { makeUpkeepPass, maxRowsPerPass, type UpkeepRule, type UpkeepRuns } from './rule.ts'

/** Every rule. The table and the alert in docs/operations.md derive from it. */
export const upkeepRules = {
  resendCancellations,
  startAdmittedJobs,
  recordArrivals,
  startDueDeliveries,
  startWaitingItems,
  admitWaitingJobs,
  endAbandonedJobs,
  endAbandonedRuns,
  finishDeletions,
  eraseAccounts,
  deleteDeadObjects,
  deleteExpiredOutputs,
  deleteExpiredUploads,
  deleteExpiredAnalyses,
  deleteExpiredJobs,
  deleteExpiredBatches,
  forgetIdempotencyKeys,
  forgetExpiredSignIns,
  forgetUnconfirmedUsers,
  sendNotices,
  forgetNotices,
  forgetBillingEvents,
  forgetEvents,
  sealSecretsAgain,
  forgetQuotas,
  forgetProbes,
  forgetWorkerEnds,
  forgetEndedShares,
} satisfies Record<string, UpkeepRule>

export function createUpkeepActivities(deps: Dependencies) {
  // Prometheus sees no increase in a series that begins with its first repair.
  for (const rule of Object.keys(upkeepRules)) deps.metrics.upkeepRepairs.inc({ rule }, 0)
  return { upkeepPass: () => makeUpkeepPass(deps, upkeepRuns(deps)) }
}

/** The rules by name. */
export function upkeepRuns(deps: Dependencies): UpkeepRuns {
  return Object.fromEntries(
    Object.entries<UpkeepRule>(upkeepRules).map(([name, rule]) => [
      name,
      (signal) => runRule(deps, name, rule, signal),
    ]),
  )
}

/** A rule whose last rows were full goes on for this long, so that the rows of one account do not delay those of others for hours. */
const fullRuleMilliseconds = 20_000

/** Runs a rule, again while it finds as many rows as it can, and counts and logs what it repaired. */
async function runRule(deps: Dependencies, name: string, rule: UpkeepRule, signal: AbortSignal): Promise<number> {
  const logger = deps.logger.child({ rule: name })
  const began = performance.now()
  let repaired = 0
  for (let isFull = true; isFull; ) {
    const count = await rule.repair(deps, { logger, signal })
    deps.metrics.upkeepRepairs.inc({ rule: name }, count)
    repaired += count
    isFull = count >= maxRowsPerPass && !signal.aborted && performance.now() - began < fullRuleMilliseconds
  }
  if (repaired > 0) logger[rule.cause === undefined ? 'info' : 'warn']({ repaired }, 'upkeep repaired')
  return repaired
}
