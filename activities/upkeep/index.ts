import type { Logger } from 'pino'
import type { Dependencies } from '../dependencies.ts'
import { whileBeating } from '../worker/heartbeat.ts'
import { deleteDeadObjects } from './delete-dead-objects.ts'
import { deleteExpiredAnalyses, deleteExpiredOutputs, deleteExpiredUploads } from './delete-expired.ts'
import { admitWaitingJobs, resendCancellations, startAdmittedJobs } from './deliver.ts'
import { endAbandonedJobs, endAbandonedRuns } from './end-abandoned.ts'
import { forgetExpiredSignIns, forgetIdempotencyKeys, forgetProbes, forgetQuotas } from './forget.ts'
import { sendNotices } from './send-notices.ts'

export interface UpkeepRun {
  readonly logger: Logger
  /** Aborts when the time is over or the worker stops. */
  readonly signal: AbortSignal
}

/** Repairs one kind of disagreement and tells how many it found. What it leaves is for the next time. */
export type UpkeepRule = (deps: Dependencies, run: UpkeepRun) => Promise<number>

/** What these find was lost on its way. */
const repairs: Readonly<Record<string, UpkeepRule>> = {
  resendCancellations,
  startAdmittedJobs,
  admitWaitingJobs,
  endAbandonedJobs,
  endAbandonedRuns,
}

/** In docs/operations.md too. */
export const upkeepRules: Readonly<Record<string, UpkeepRule>> = {
  ...repairs,
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

/** An activity for each rule, and the one that lists them, so that the workflow need not know them. */
export function createUpkeepActivities(deps: Dependencies) {
  // A series that begins at its first repair looks like no increase.
  for (const rule of Object.keys(upkeepRules)) deps.metrics.upkeepRepairs.inc({ rule }, 0)
  const reports = Object.entries(upkeepRules).map(([rule, repair]) => [rule, () => report(deps, rule, repair)] as const)
  return {
    listUpkeepRules: async () => Object.keys(upkeepRules),
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
