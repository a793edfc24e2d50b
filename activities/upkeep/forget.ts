import { forgetExpiredGrants } from '../../src/accounts/oauth-grants.ts'
import { forgetExpired } from '../../src/accounts/sessions.ts'
import { deleteOldEvents } from '../../src/billing/provider/old-events.ts'
import { deleteOldNotices } from '../../src/notices/notices.ts'
import { deleteOldIdempotencyKeys } from '../../src/store/idempotency.ts'
import { forgetOpenWaits } from '../../src/store/open-waits.ts'
import { deleteOldProbes } from '../../src/store/probes.ts'
import { forgetQuotaWindows } from '../../src/store/quotas.ts'
import type { UpkeepRule } from './rule.ts'

export const forgetExpiredSignIns: UpkeepRule = {
  description: 'deletes expired sessions, verification links, and codes and tokens of OAuth',
  repair: async ({ db }) => (await forgetExpired(db, new Date())) + (await forgetExpiredGrants(db, new Date())),
}

export const forgetIdempotencyKeys: UpkeepRule = {
  description: 'deletes Idempotency-Keys a day after their request',
  repair: ({ db }) => deleteOldIdempotencyKeys(db),
}

export const forgetBillingEvents: UpkeepRule = {
  description: 'deletes the ids of events of the payment provider after 60 days',
  repair: ({ db }) => deleteOldEvents(db),
}

export const forgetNotices: UpkeepRule = {
  description: 'deletes notices after a year',
  repair: ({ db }) => deleteOldNotices(db),
}

export const forgetProbes: UpkeepRule = {
  description: 'deletes what estimates learned about media, after a day',
  repair: ({ db }) => deleteOldProbes(db),
}

export const forgetQuotas: UpkeepRule = {
  description: 'deletes expired counters of quotas and of sign-in attempts, and wait slots that were never released',
  repair: async ({ db }) => (await forgetQuotaWindows(db)) + (await forgetOpenWaits(db)),
}
