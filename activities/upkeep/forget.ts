import { forgetOpenWaits } from '../../src/accounts/credentials.ts'
import { eraseAccount, eraseDeleted } from '../../src/accounts/erase-account.ts'
import { forgetExpiredGrants } from '../../src/accounts/oauth-tokens.ts'
import { forgetQuotaWindows } from '../../src/accounts/quotas.ts'
import { forgetExpired, forgetUnconfirmed } from '../../src/accounts/sign-in-options.ts'
import { deleteOldBatches } from '../../src/batches/batches.ts'
import { deleteOldBillingEvents } from '../../src/billing/provider/open-provider.ts'
import { findDeadFolders, findExpiredAnalyses } from '../../src/jobs/analysis-rows.ts'
import { deleteOldWorkerEnds } from '../../src/jobs/attempts.ts'
import { markExpiredDeleted } from '../../src/jobs/delete.ts'
import { eraseAnalysis, findUnerased, findUnerasedAccounts, unerasedKinds } from '../../src/jobs/erase.ts'
import { deleteOldIdempotencyKeys } from '../../src/jobs/idempotency.ts'
import { findExpiredOutputs, forgetOutput } from '../../src/jobs/job-changes.ts'
import { deleteOldProbes } from '../../src/jobs/probes.ts'
import { MailRefusedError } from '../../src/mail/mailer.ts'
import {
  deleteOldNotices,
  findAccountsToMail,
  findUnmailedNotices,
  mailsPerHour,
  markMailed,
  renderMail,
} from '../../src/mail/notices.ts'
import { deleteOldShares } from '../../src/shares/shares.ts'
import { findExpiredUploads, forgetUpload } from '../../src/uploads/uploads.ts'
import { deleteOldCallbacks } from '../../src/webhooks/callbacks.ts'
import { findOldSeals, resealSecrets } from '../../src/webhooks/endpoints.ts'
import { deleteOldEvents, eventDays } from '../../src/webhooks/events.ts'
import type { Dependencies } from '../dependencies.ts'
import { deleteFolder } from '../staged-objects.ts'
import { daysAgo, deletionRule, maxRowsPerPass, repairFound, repairRule, type UpkeepRule } from './rule.ts'

/** A link to confirm an address is valid for less than this. */
const unconfirmedDays = 3

/** A running attempt learns with its next heartbeat that its job has ended; until then it may still write. */
const lastHeartbeatMilliseconds = 10_000

/** Meanwhile a job that corrects a clip takes the pieces that stay as they are. */
const correctedWithinMilliseconds = 3_600_000

/** What is erased or deleted after its time, mailed, and sealed again. */
export const forgetRules = {
  finishDeletions: {
    description:
      'erases jobs, runs and uploads that were deleted and could not be erased immediately, because its work had not ended or the request was interrupted: [docs/deletion.md](deletion.md)',
    query: async ({ db }) => {
      for (const kind of unerasedKinds) await findUnerased(db, kind, { limit: maxRowsPerPass })
    },
    repair: (deps, pass) => eraseDeleted(deps, pass.signal),
  },
  /** Not in the rule above: an account that the payment provider keeps from its end does not delay what others deleted. */
  eraseAccounts: repairRule({
    description: 'erases deleted accounts, with what they have',
    find: ({ db }, page) => findUnerasedAccounts(db, page),
    repair: (accountId, deps, pass) => eraseAccount(deps, accountId, pass.signal),
  }),
  deleteDeadObjects: repairRule({
    description:
      'deletes stored objects of failed, canceled and repeated activities, which did not become outputs, and the pieces of clips an hour after their end',
    find: ({ db }, page) => {
      const before = (milliseconds: number) => new Date(Date.now() - milliseconds)
      const endedBefore = before(lastHeartbeatMilliseconds)
      return findDeadFolders(db, { endedBefore, completedBefore: before(correctedWithinMilliseconds) }, page)
    },
    repair: async (folder, deps) => {
      await deleteFolder(deps, folder)
      return true
    },
  }),
  deleteExpiredOutputs: repairRule({
    description: 'deletes outputs after `RETENTION_DAYS`',
    find: ({ db, retentionDays }, page) => findExpiredOutputs(db, daysAgo(retentionDays), page),
    repair: (row, deps) => deleteObject(deps, row, (id) => forgetOutput(deps.db, id)),
  }),
  deleteExpiredUploads: repairRule({
    description: 'deletes uploads after their retention, also those whose bytes never arrived',
    find: ({ db }, page) => findExpiredUploads(db, new Date(), page),
    repair: (row, deps) => deleteObject(deps, row, (id) => forgetUpload(deps.db, id)),
  }),
  /** A job that still finds the row analyses the media again. */
  deleteExpiredAnalyses: repairRule({
    description: 'deletes stored analyses after `RETENTION_DAYS`',
    find: ({ db, retentionDays }, page) => findExpiredAnalyses(db, daysAgo(retentionDays), page),
    repair: (row, deps) => eraseAnalysis(deps, row),
  }),
  /** `finishDeletions` erases them. */
  deleteExpiredJobs: deletionRule({
    description: 'deletes jobs and runs `JOB_RETENTION_DAYS` after their end, if it is set',
    deleteRows: async ({ db, jobRetentionDays }, limit) =>
      jobRetentionDays === undefined ? 0 : markExpiredDeleted(db, daysAgo(jobRetentionDays), limit),
  }),
  deleteExpiredBatches: deletionRule({
    description: 'deletes batches `JOB_RETENTION_DAYS` after their end, if it is set',
    deleteRows: async ({ db, jobRetentionDays }, limit) =>
      jobRetentionDays === undefined ? 0 : deleteOldBatches(db, daysAgo(jobRetentionDays), limit),
  }),
  forgetIdempotencyKeys: deletionRule({
    description: 'deletes Idempotency-Keys a day after their request',
    deleteRows: ({ db }, limit) => deleteOldIdempotencyKeys(db, limit),
  }),
  forgetExpiredSignIns: deletionRule({
    description: 'deletes expired sessions, verification links, and codes and tokens of OAuth',
    deleteRows: async ({ db }, limit) =>
      (await forgetExpired(db, new Date(), limit)) + (await forgetExpiredGrants(db, new Date(), limit)),
  }),
  forgetUnconfirmedUsers: deletionRule({
    description: 'deletes users who did not confirm their address within three days',
    deleteRows: ({ db }, limit) => forgetUnconfirmed(db, daysAgo(unconfirmedDays), limit),
  }),
  /** Mails each notice at least once: a worker that dies before the rows are marked mails them again. */
  sendNotices: {
    description: `mails notices to accounts, at most ${mailsPerHour} mails an hour to each: new keys, a raised cap, spend alerts, changes of billing`,
    query: ({ db }) => findAccountsToMail(db, { limit: maxRowsPerPass }),
    repair: async ({ db, mailer }, pass) => {
      if (!mailer) return 0
      return repairFound(
        (page) => findAccountsToMail(db, page),
        pass,
        async ({ id, email }) => {
          const notices = await findUnmailedNotices(db, id)
          if (notices.length === 0) return false
          try {
            await mailer.send({ to: email, ...renderMail(notices) })
          } catch (error) {
            if (!(error instanceof MailRefusedError)) throw error
            pass.logger.warn({ err: error.cause, account: id }, 'notices refused')
          }
          await markMailed(
            db,
            notices.map((notice) => notice.id),
          )
          return true
        },
      )
    },
  },
  forgetNotices: deletionRule({
    description: 'deletes notices after a year',
    deleteRows: ({ db }, limit) => deleteOldNotices(db, limit),
  }),
  forgetBillingEvents: deletionRule({
    description: 'deletes the ids of events of the payment provider after 60 days',
    deleteRows: ({ db }, limit) => deleteOldBillingEvents(db, limit),
  }),
  forgetEvents: deletionRule({
    description: 'deletes events with their deliveries, and callbacks that were left behind, after 30 days',
    deleteRows: async ({ db }, limit) =>
      (await deleteOldEvents(db, daysAgo(eventDays), limit)) +
      (await deleteOldCallbacks(db, daysAgo(eventDays), limit)),
  }),
  sealSecretsAgain: repairRule({
    description:
      'seals the secrets of webhook endpoints with a new SIGNING_SECRET, and forgets those that were replaced a day ago',
    find: ({ db, webhooks: { signing } }, page) => findOldSeals(db, signing, page),
    repair: (endpoint, { db, webhooks: { signing } }) => resealSecrets(db, signing, endpoint),
  }),
  forgetQuotas: deletionRule({
    description: 'deletes expired counters of quotas and of sign-in attempts, and wait slots that were never released',
    deleteRows: async ({ db }, limit) => (await forgetQuotaWindows(db, limit)) + (await forgetOpenWaits(db, limit)),
  }),
  forgetProbes: deletionRule({
    description: 'deletes what estimates learned about media, after a day',
    deleteRows: ({ db }, limit) => deleteOldProbes(db, limit),
  }),
  forgetWorkerEnds: deletionRule({
    description: 'deletes after 30 days which jobs ended a worker',
    deleteRows: ({ db }, limit) => deleteOldWorkerEnds(db, limit),
  }),
  forgetEndedShares: deletionRule({
    description: 'deletes shares that have ended',
    deleteRows: ({ db }, limit) => deleteOldShares(db, new Date(), limit),
  }),
} satisfies Record<string, UpkeepRule>

interface StoredRow {
  readonly id: string
  readonly objectKey: string
}

/** Deletes the row's object, then the row: after an interruption the next pass finds the row again. */
async function deleteObject(
  { storage }: Pick<Dependencies, 'storage'>,
  { id, objectKey }: StoredRow,
  forget: (id: string) => Promise<void>,
): Promise<boolean> {
  await storage.delete(objectKey)
  await forget(id)
  return true
}
