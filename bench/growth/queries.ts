import type { upkeepRules } from '../../activities/upkeep/index.ts'
import { forgetExpiredGrants } from '../../src/accounts/oauth-grants.ts'
import { forgetExpired } from '../../src/accounts/sessions.ts'
import { spentInMonth } from '../../src/billing/months.ts'
import { deleteOldEvents } from '../../src/billing/provider/old-events.ts'
import { newId } from '../../src/core/ids.ts'
import { acceptJob } from '../../src/jobs/accept-job.ts'
import { canceledJob, settleJob } from '../../src/jobs/settle-job.ts'
import { deleteOldNotices, findUnmailedNotices } from '../../src/notices/notices.ts'
import { findAdmissibleAccounts } from '../../src/store/admission.ts'
import { findExpiredAnalyses } from '../../src/store/analyses.ts'
import type { Database } from '../../src/store/database.ts'
import { findUnerased, findUnerasedAccounts, markExpiredDeleted } from '../../src/store/deletions.ts'
import { deleteOldIdempotencyKeys } from '../../src/store/idempotency.ts'
import { findJob, listJobs } from '../../src/store/jobs.ts'
import {
  countOpenJobs,
  findDispatchedJobs,
  findUndeliveredCancellations,
  findUndispatchedJobs,
} from '../../src/store/open-jobs.ts'
import { forgetOpenWaits } from '../../src/store/open-waits.ts'
import { findExpiredOutputs } from '../../src/store/outputs.ts'
import { searchPassages } from '../../src/store/passages.ts'
import { deleteOldProbes } from '../../src/store/probes.ts'
import { forgetQuotaWindows } from '../../src/store/quotas.ts'
import { findIdleRuns, findRun, listRuns } from '../../src/store/runs.ts'
import { findDeadFolders } from '../../src/store/staged-folders.ts'
import { findExpiredUploads, findUpload, listUploads } from '../../src/store/uploads.ts'
import { readUsage } from '../../src/store/usage.ts'
import { type Amounts, filledId } from './fill.ts'

/** Work of the service on the database, by name, with each rule of upkeep; each call asks about rows of another number. */
export type Queries = Readonly<Record<string, (n: number) => Promise<unknown>>>
type RuleQueries = Readonly<Record<keyof typeof upkeepRules, () => Promise<unknown>>>

export function queriesOf(db: Database, { accounts, jobs }: Amounts): Queries {
  const accountId = (n: number) => filledId('acct', 1 + (n % accounts))
  const reader = (n: number) => ({ accountId: accountId(n), scope: 'all' as const })
  const jobId = (n: number) => filledId('job', 1 + (n % jobs))
  const limit = 500
  const slotLimits = { perAccount: 20, beforePayment: 2 }
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
  const day = (seconds: number) => ago(seconds).toISOString().slice(0, 10)
  return {
    'read a job': (n) => findJob(db, reader(n - 1), jobId(n)),
    'list jobs': (n) => listJobs(db, reader(n), { limit: 21, filter: {} }),
    'list jobs by status': (n) => listJobs(db, reader(n), { limit: 21, filter: { status: 'failed' } }),
    'list jobs by file name': (n) =>
      listJobs(db, reader(n), { limit: 21, filter: { mediaName: `episode-${n % (jobs / 1000)}.mp3` } }),
    'list jobs by metadata': (n) =>
      listJobs(db, reader(n), { limit: 21, filter: { metadata: { episode: `${n % (jobs / 1000)}` } } }),
    'search a word': (n) => searchPassages(db, reader(n), { words: `topic${n % 997}`, limit: 21 }),
    'search a frequent word': (n) => searchPassages(db, reader(n), { words: 'weather', limit: 21 }),
    'read a run': (n) => findRun(db, accountId(n), filledId('run', 1 + (n % (jobs / 10)))),
    'list runs': (n) => listRuns(db, accountId(n), { limit: 21, filter: { chains: ['remove-dead-space'] } }),
    'read an upload': (n) => findUpload(db, accountId(n), filledId('upl', Math.floor(jobs / 3) - (n % 100))),
    'list uploads': (n) => listUploads(db, accountId(n), { limit: 21, filter: {} }),
    'list uploads by file name': (n) =>
      listUploads(db, accountId(n), { limit: 21, filter: { fileName: `episode-${n % (jobs / 1000)}.mp3` } }),
    'usage of 30 days': (n) =>
      readUsage(db, {
        ...{ accountId: accountId(n), from: day(30 * 86_400), to: day(0) },
        ...{ groupBy: ['day', 'endpoint'], limit: 1000 },
      }),
    'the spending of a month': (n) => spentInMonth(db, accountId(n), day(0).slice(0, 7)),
    'create a job and cancel it': async (n) => {
      const { job } = await acceptJob(db, {
        ...{ jobId: newId('job'), accountId: accountId(n), apiKeyId: null, requestId: newId('req') },
        ...{ endpoint: 'audio/detect-silence', rateMicroUsdPerMinute: 2000n, maxPriceMicroUsd: 2000n },
        ...{ window: { startSeconds: 0, endSeconds: 60 }, settings: {}, warnings: [] },
        reference: { url: 'https://media.example/a.mp3', object: null, name: 'a.mp3' },
        ...{ slotLimits, maxWaitingJobs: 1000 },
      })
      await settleJob(db, job.id, canceledJob)
    },
    resendCancellations: () => findUndeliveredCancellations(db, 5, limit),
    startAdmittedJobs: () => findUndispatchedJobs(db, 5, limit),
    admitWaitingJobs: () => findAdmissibleAccounts(db, slotLimits, limit),
    endAbandonedJobs: () => findDispatchedJobs(db, 5, { afterId: newId('job'), toId: undefined, limit: 200 }),
    endAbandonedRuns: () => findIdleRuns(db, ago(5), limit),
    finishDeletions: async () => {
      await findUnerasedAccounts(db, limit)
      await findUnerased(db, { limit })
    },
    deleteDeadObjects: () => findDeadFolders(db, ago(10), limit),
    deleteExpiredOutputs: () => findExpiredOutputs(db, ago(jobs * 0.005), limit),
    deleteExpiredUploads: () => findExpiredUploads(db, ago(-2 * 86_400), limit),
    deleteExpiredAnalyses: () => findExpiredAnalyses(db, ago(86_400), limit),
    deleteExpiredJobs: () => markExpiredDeleted(db, ago(2 * jobs), limit),
    forgetIdempotencyKeys: () => deleteOldIdempotencyKeys(db),
    forgetExpiredSignIns: async () => {
      await forgetExpired(db, new Date())
      await forgetExpiredGrants(db, new Date())
    },
    sendNotices: () => findUnmailedNotices(db, limit),
    forgetNotices: () => deleteOldNotices(db),
    forgetBillingEvents: () => deleteOldEvents(db),
    forgetQuotas: async () => {
      await forgetQuotaWindows(db)
      await forgetOpenWaits(db)
    },
    forgetProbes: () => deleteOldProbes(db),
    'count open jobs': () => countOpenJobs(db),
  } satisfies Queries & RuleQueries
}
