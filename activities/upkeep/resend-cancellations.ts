import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { findUndeliveredCancellations } from '../../src/store/jobs.ts'
import type { UpkeepRule } from './index.ts'
import { graceSeconds, maxRowsPerPass } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Delivers the cancellations that were asked for while Temporal could not be reached. */
export const resendCancellations: UpkeepRule = async (deps, run) =>
  repairEach(await findUndeliveredCancellations(deps.db, graceSeconds, maxRowsPerPass), run, async ({ id }) => {
    await deliverCancellation(deps, deps.jobs.cancel, id)
    return true
  })
