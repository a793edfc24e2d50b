import { forgetExpired } from '../../src/accounts/sessions.ts'
import { deleteOldIdempotencyKeys } from '../../src/store/idempotency.ts'
import { forgetOpenWaits } from '../../src/store/open-waits.ts'
import { deleteOldProbes } from '../../src/store/probes.ts'
import { forgetQuotaWindows } from '../../src/store/quotas.ts'
import type { UpkeepRule } from './for-each-row.ts'

/** Deletes expired sessions and verification links. */
export const forgetExpiredSignIns: UpkeepRule = ({ db }) => forgetExpired(db, new Date())

/** Deletes Idempotency-Keys a day after their request. */
export const forgetIdempotencyKeys: UpkeepRule = ({ db }) => deleteOldIdempotencyKeys(db)

/** Deletes probes a day after their estimate. */
export const forgetProbes: UpkeepRule = ({ db }) => deleteOldProbes(db)

/** Deletes expired counters of quotas, and wait slots that were never released. */
export const forgetQuotas: UpkeepRule = async ({ db }) => (await forgetQuotaWindows(db)) + (await forgetOpenWaits(db))
