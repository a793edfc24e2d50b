import { forgetExpiredGrants } from '../../src/accounts/oauth-grants.ts'
import { forgetExpired, forgetUnconfirmed } from '../../src/accounts/sessions.ts'
import { deleteOldEvents } from '../../src/billing/provider/old-events.ts'
import { deleteOldNotices } from '../../src/notices/notices.ts'
import { deleteOldIdempotencyKeys } from '../../src/store/idempotency.ts'
import { forgetOpenWaits } from '../../src/store/open-waits.ts'
import { deleteOldProbes } from '../../src/store/probes.ts'
import { forgetQuotaWindows } from '../../src/store/quotas.ts'
import { deleteOldWorkerEnds } from '../../src/store/worker-ends.ts'
import { daysAgo, deletionRule } from './rule.ts'

export const forgetExpiredSignIns = deletionRule({
  description: 'deletes expired sessions, verification links, and codes and tokens of OAuth',
  deleteRows: async ({ db }, limit) =>
    (await forgetExpired(db, new Date(), limit)) + (await forgetExpiredGrants(db, new Date(), limit)),
})

/** A link to confirm an address is valid for less than this. */
const unconfirmedDays = 3

export const forgetUnconfirmedUsers = deletionRule({
  description: 'deletes users who did not confirm their address within three days',
  deleteRows: ({ db }, limit) => forgetUnconfirmed(db, daysAgo(unconfirmedDays), limit),
})

export const forgetIdempotencyKeys = deletionRule({
  description: 'deletes Idempotency-Keys a day after their request',
  deleteRows: ({ db }, limit) => deleteOldIdempotencyKeys(db, limit),
})

export const forgetBillingEvents = deletionRule({
  description: 'deletes the ids of events of the payment provider after 60 days',
  deleteRows: ({ db }, limit) => deleteOldEvents(db, limit),
})

export const forgetNotices = deletionRule({
  description: 'deletes notices after a year',
  deleteRows: ({ db }, limit) => deleteOldNotices(db, limit),
})

export const forgetProbes = deletionRule({
  description: 'deletes what estimates learned about media, after a day',
  deleteRows: ({ db }, limit) => deleteOldProbes(db, limit),
})

export const forgetQuotas = deletionRule({
  description: 'deletes expired counters of quotas and of sign-in attempts, and wait slots that were never released',
  deleteRows: async ({ db }, limit) => (await forgetQuotaWindows(db, limit)) + (await forgetOpenWaits(db, limit)),
})

export const forgetWorkerEnds = deletionRule({
  description: 'deletes after 30 days which jobs ended a worker',
  deleteRows: ({ db }, limit) => deleteOldWorkerEnds(db, limit),
})
