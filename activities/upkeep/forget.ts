import { forgetExpiredGrants } from '../../src/accounts/oauth-grants.ts'
import { forgetExpired, forgetUnconfirmed } from '../../src/accounts/sessions.ts'
import { deleteOldEvents } from '../../src/billing/provider/old-events.ts'
import { deleteOldNotices } from '../../src/notices/notices.ts'
import { deleteOldIdempotencyKeys } from '../../src/store/idempotency.ts'
import { forgetOpenWaits } from '../../src/store/open-waits.ts'
import { deleteOldProbes } from '../../src/store/probes.ts'
import { forgetQuotaWindows } from '../../src/store/quotas.ts'
import { maxRowsPerPass } from './repair-each.ts'
import { daysAgo, deletionRule } from './rule.ts'

export const forgetExpiredSignIns = deletionRule({
  description: 'deletes expired sessions, verification links, and codes and tokens of OAuth',
  deleteRows: async ({ db }) =>
    (await forgetExpired(db, new Date(), maxRowsPerPass)) + (await forgetExpiredGrants(db, new Date(), maxRowsPerPass)),
})

/** A link to confirm an address is valid for less than this. */
const unconfirmedDays = 3

export const forgetUnconfirmedUsers = deletionRule({
  description: 'deletes users who did not confirm their address within three days',
  deleteRows: ({ db }) => forgetUnconfirmed(db, daysAgo(unconfirmedDays), maxRowsPerPass),
})

export const forgetIdempotencyKeys = deletionRule({
  description: 'deletes Idempotency-Keys a day after their request',
  deleteRows: ({ db }) => deleteOldIdempotencyKeys(db, maxRowsPerPass),
})

export const forgetBillingEvents = deletionRule({
  description: 'deletes the ids of events of the payment provider after 60 days',
  deleteRows: ({ db }) => deleteOldEvents(db, maxRowsPerPass),
})

export const forgetNotices = deletionRule({
  description: 'deletes notices after a year',
  deleteRows: ({ db }) => deleteOldNotices(db, maxRowsPerPass),
})

export const forgetProbes = deletionRule({
  description: 'deletes what estimates learned about media, after a day',
  deleteRows: ({ db }) => deleteOldProbes(db, maxRowsPerPass),
})

export const forgetQuotas = deletionRule({
  description: 'deletes expired counters of quotas and of sign-in attempts, and wait slots that were never released',
  deleteRows: async ({ db }) =>
    (await forgetQuotaWindows(db, maxRowsPerPass)) + (await forgetOpenWaits(db, maxRowsPerPass)),
})
