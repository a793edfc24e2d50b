import { grantCredits } from '../billing/credits.ts'
import type { PricedEndpoint } from '../billing/price.ts'
import { newId } from '../core/ids.ts'
import type { JobWindow } from '../core/segments.ts'
import { type Database, inRolledBackTransaction } from '../store/database.ts'
import type { Job } from '../store/jobs.ts'
import type { MediaReference } from '../store/media-reference.ts'
import { acceptJob } from './accept-job.ts'
import type { NewJob } from './insert-job.ts'
import { pricedJob } from './priced-job.ts'

interface RehearsedWork {
  readonly endpoint: PricedEndpoint & { readonly id: string }
  readonly window: JobWindow
  readonly settings: NewJob['settings']
  readonly reference: MediaReference
}

/**
 * Accepts a job of a new account in a transaction that is rolled back after `play`, so that nobody sees it. By playing a job, a
 * process compiles, and its database plans, what its first job would otherwise wait for.
 */
export async function rehearseJob(
  realDb: Database,
  work: RehearsedWork,
  play: (db: Database, job: Job) => Promise<void>,
): Promise<void> {
  await inRolledBackTransaction(realDb, async (db) => {
    const { id: accountId } = await db.account.create({ data: { id: newId('acct'), name: 'Rehearsal' } })
    await grantCredits(db, accountId)
    const { job } = await acceptJob(db, {
      ...pricedJob({ ...work, jobId: newId('job'), warnings: [], mediaSeconds: undefined }),
      accountId,
      apiKeyId: null,
      requestId: newId('req'),
      slotLimits: { perAccount: 1, beforePayment: 1 },
      maxWaitingJobs: 0,
    })
    await play(db, job)
  })
}
