import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { findUndeliveredCancellations } from '../../src/store/jobs.ts'
import type { UpkeepRule } from './index.ts'
import { graceSeconds, mostAtOnce } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Delivers the cancellations that were asked for while Temporal could not be reached. */
export const resendCancellations: UpkeepRule = async (deps, logger) =>
  repairEach(await findUndeliveredCancellations(deps.db, graceSeconds, mostAtOnce), logger, async ({ id }) => {
    await deliverCancellation(deps, deps.jobs.cancel, id)
    return true
  })
