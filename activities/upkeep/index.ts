import type { Dependencies } from '../dependencies.ts'
import { whileBeating } from '../worker/heartbeat.ts'
import {
  deleteDeadObjects,
  deleteExpiredAnalyses,
  deleteExpiredOutputs,
  deleteExpiredUploads,
} from './delete-expired.ts'
import { admitWaitingJobs, resendCancellations, startAdmittedJobs } from './deliver.ts'
import { endAbandonedJobs, endAbandonedRuns } from './end-abandoned.ts'
import { finishDeletions } from './finish-deletions.ts'
import type { UpkeepRule } from './for-each-row.ts'
import { forgetExpiredSignIns, forgetIdempotencyKeys, forgetProbes, forgetQuotas } from './forget.ts'
import { sendNotices } from './send-notices.ts'

/** Findings of these rules are caused by an outage or an operator, and are logged as a warning. */
const repairs: Readonly<Record<string, UpkeepRule>> = {
  resendCancellations,
  startAdmittedJobs,
  admitWaitingJobs,
  endAbandonedJobs,
  endAbandonedRuns,
}

/** Every rule; docs/operations.md lists them too. */
export const upkeepRules: Readonly<Record<string, UpkeepRule>> = {
  ...repairs,
  finishDeletions,
  deleteDeadObjects,
  deleteExpiredOutputs,
  deleteExpiredUploads,
  deleteExpiredAnalyses,
  forgetIdempotencyKeys,
  forgetExpiredSignIns,
  sendNotices,
  forgetQuotas,
  forgetProbes,
}

/** An activity for each rule, and one that lists them at the start of a pass, so that a new rule changes no workflow code. */
export function createUpkeepActivities(deps: Dependencies) {
  // Prometheus sees no increase in a series that begins with its first repair.
  for (const rule of Object.keys(upkeepRules)) deps.metrics.upkeepRepairs.inc({ rule }, 0)
  const reports = Object.entries(upkeepRules).map(([rule, repair]) => [rule, () => report(deps, rule, repair)] as const)
  return {
    listUpkeepRules: async () => {
      deps.metrics.upkeepPasses.inc()
      return Object.keys(upkeepRules)
    },
    ...Object.fromEntries<() => Promise<number>>(reports),
  }
}

async function report(deps: Dependencies, rule: string, repair: UpkeepRule): Promise<number> {
  const logger = deps.logger.child({ rule })
  const repaired = await whileBeating((signal) => repair(deps, { logger, signal }))
  deps.metrics.upkeepRepairs.inc({ rule }, repaired)
  if (repaired > 0) logger[rule in repairs ? 'warn' : 'info']({ repaired }, 'upkeep repaired')
  return repaired
}
