import { mapOrAbort } from '../core/abortable.ts'
import { workThrough } from '../core/work-through.ts'
import { deliverCancellation } from '../jobs/deliver-cancellation.ts'
import { markContentsDeleted } from '../store/deletions.ts'
import { areContentsErased, findUnerased, unerasedKinds } from '../store/erasure.ts'
import type { DeletionDependencies } from './dependencies.ts'
import { eraseAnalysis, eraseJob, eraseRun, eraseUpload } from './erase.ts'

const concurrency = 8
const rowsTogether = 200

/**
 * Erases what a deleted account has, and then its row, except for what the ledger refers to. Returns false if jobs have not
 * ended, and throws if the signal aborts first: call it again, as upkeep does.
 */
export async function eraseAccount(
  deps: DeletionDependencies,
  accountId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { db } = deps
  while ((await markContentsDeleted(db, accountId)) > 0) signal.throwIfAborted()
  const open = await db.job.findMany({ where: { accountId, endedAt: null }, select: { id: true } })
  await eraseEach(deps, open, signal, async ({ id }) => {
    await deliverCancellation(deps, id)
    return true
  })
  await eraseDeleted(deps, signal, accountId)
  while ((await eraseAnalyses(deps, signal, accountId)) > 0) signal.throwIfAborted()
  return forgetAccount(deps, accountId, signal)
}

/** Erases deleted jobs, runs and uploads, of one account or of all, and returns how many it finished. */
export async function eraseDeleted(
  deps: DeletionDependencies,
  signal: AbortSignal,
  accountId?: string,
): Promise<number> {
  let erased = 0
  for (const kind of unerasedKinds) {
    const { done } = await workThrough({
      find: (except) => findUnerased(deps.db, kind, { accountId, limit: rowsTogether, except }),
      work: (rows) => eraseEach(deps, rows, signal, ({ id }) => erase[kind](deps, id)),
      pageSize: rowsTogether,
    })
    erased += done
  }
  return erased
}

const erase = { uploads: eraseUpload, jobs: eraseJob, runs: eraseRun }

/** Erases some analyses of the account, and returns their number. Those of its jobs' media are mostly gone with the jobs. */
async function eraseAnalyses(deps: DeletionDependencies, signal: AbortSignal, accountId: string): Promise<number> {
  const select = { id: true, objectKey: true } as const
  const some = await deps.db.analysis.findMany({ where: { accountId }, take: rowsTogether, select })
  return eraseEach(deps, some, signal, (analysis) => eraseAnalysis(deps, analysis))
}

/**
 * Deletes what belongs to no job, run or upload. The row, its keys without names and secrets, and its months stay, because the
 * ledger refers to them.
 */
async function forgetAccount(
  { db, billing }: DeletionDependencies,
  accountId: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await areContentsErased(db, accountId))) return false
  signal.throwIfAborted()
  await billing.forgetCustomer?.(accountId)
  return db.$transaction(async (tx) => {
    if (!(await areContentsErased(tx, accountId))) return false
    const ofAccount = { where: { accountId } }
    await tx.probe.deleteMany(ofAccount)
    await tx.notice.deleteMany(ofAccount)
    await tx.idempotencyRecord.deleteMany(ofAccount)
    // No secret has a blank hash.
    const forgotten = { name: '', lastFour: '', secretHash: new Uint8Array(), lastUsedAt: null }
    await tx.apiKey.updateMany({ ...ofAccount, data: forgotten })
    await tx.account.updateMany({ where: { id: accountId }, data: { erasedAt: new Date() } })
    return true
  })
}

/** Works on rows in parallel, and returns for how many `work` returned true. A row that fails is logged and left to upkeep. */
async function eraseEach<Row extends { readonly id: string }>(
  { logger }: Pick<DeletionDependencies, 'logger'>,
  rows: readonly Row[],
  signal: AbortSignal,
  work: (row: Row) => Promise<boolean>,
): Promise<number> {
  const outcomes = await mapOrAbort(signal, { items: rows, concurrency }, async (row) =>
    work(row).catch((error: unknown) => {
      logger.warn({ err: error, id: row.id }, 'not erased yet')
      return false
    }),
  )
  return outcomes.filter((isDone) => isDone).length
}
