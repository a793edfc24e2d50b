import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { findUndeliveredCancellations } from '../../src/store/jobs.ts'
import type { UpkeepRule } from './index.ts'
import { graceSeconds, mostAtOnce } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Delivers the cancellations that were asked for while Temporal could not be reached. */
export const resendCancellations: UpkeepRule = async ({ db, jobs }, logger) =>
  repairEach(await findUndeliveredCancellations(db, graceSeconds, mostAtOnce), logger, async ({ id }) => {
    await deliverCancellation(db, jobs.cancel, id)
    return true
  })
