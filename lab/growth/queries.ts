import { upkeepRules } from '../../activities/upkeep/index.ts'
import type { UpkeepRule } from '../../activities/upkeep/rule.ts'
import { spentInMonth } from '../../src/billing/months.ts'
import { readUsage } from '../../src/billing/usage.ts'
import { newId } from '../../src/core/ids.ts'
import { developmentSecret } from '../../src/core/signing-secret.ts'
import type { Database } from '../../src/db/database.ts'
import { acceptJob } from '../../src/jobs/accept.ts'
import { findJob, listJobs } from '../../src/jobs/job-rows.ts'
import { countOpenJobs } from '../../src/jobs/open-jobs.ts'
import { addResults, findRun, listRuns } from '../../src/jobs/run-rows.ts'
import { searchPassages } from '../../src/jobs/search-index.ts'
import { canceledJob, settleJob } from '../../src/jobs/settle-job.ts'
import { findUpload, listUploads } from '../../src/uploads/uploads.ts'
import { type Amounts, filledId } from './fill.ts'

/** Work of the service on the database, by name, with each rule of upkeep; each call asks about rows of another number. */
export type Queries = Readonly<Record<string, (n: number) => Promise<unknown>>>

const slotLimits = { perAccount: 20, beforePayment: 2 }

export function queriesOf(db: Database, { accounts, jobs }: Amounts): Queries {
  const accountId = (n: number) => filledId('acct', 1 + (n % accounts))
  const reader = (n: number) => ({ accountId: accountId(n), scope: 'all' as const })
  const jobId = (n: number) => filledId('job', 1 + (n % jobs))
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
    'read a run': async (n) => {
      const run = await findRun(db, accountId(n), filledId('run', 1 + (n % (jobs / 10))))
      if (run)
        await addResults(
          db,
          run,
          run.jobs.map(({ id }) => id),
        )
    },
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
    ...upkeepQueries(db, jobs),
    'count open jobs': () => countOpenJobs(db),
  }
}

/** The query of each rule, by the rule's name. */
function upkeepQueries(db: Database, jobs: number): Queries {
  // Nearly all outputs are older than the retention, as after an outage, and no job.
  const retention = { retentionDays: (jobs * 0.005) / 86_400, jobRetentionDays: (2 * jobs) / 86_400 }
  const signing = { SIGNING_KEY_ID: '1', SIGNING_SECRET: developmentSecret }
  const deps = { db, slotLimits, ...retention, webhooks: { signing, access: { allowHosts: [] } } }
  return Object.fromEntries(
    Object.entries<UpkeepRule>(upkeepRules).map(([name, rule]) => [name, () => rule.query(deps)]),
  )
}
