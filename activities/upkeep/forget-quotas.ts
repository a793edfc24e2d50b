import { forgetOpenWaits } from '../../src/store/open-waits.ts'
import { forgetQuotaWindows } from '../../src/store/quotas.ts'
import type { UpkeepRule } from './index.ts'

/** Deletes counts whose window is over, and waits that nobody ended. */
export const forgetQuotas: UpkeepRule = async ({ db }) => (await forgetQuotaWindows(db)) + (await forgetOpenWaits(db))
