import { mapOrAbort } from '../core/abortable.ts'
import { deliverCancellation } from '../jobs/deliver-cancellation.ts'
import { forgetAnalysis } from '../store/analyses.ts'
import { areContentsErased, findUnerased, markContentsDeleted } from '../store/deletions.ts'
import type { DeletionDependencies } from './dependencies.ts'
import { eraseJob, eraseRun, eraseUpload } from './erase.ts'

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
  await forEachId(deps, open, signal, async (id) => {
    await deliverCancellation(deps, deps.jobs.cancel, id)
    return true
  })
  while ((await eraseDeleted(deps, signal, accountId)) > 0) signal.throwIfAborted()
  return forgetAccount(deps, accountId)
}

/** Erases deleted jobs, runs and uploads, of one account or of all, and returns how many it finished. */
export async function eraseDeleted(
  deps: DeletionDependencies,
  signal: AbortSignal,
  accountId?: string,
): Promise<number> {
  const { uploads, jobs, runs } = await findUnerased(deps.db, { accountId, limit: rowsTogether })
  return (
    (await forEachId(deps, uploads, signal, (id) => eraseUpload(deps, id))) +
    (await forEachId(deps, jobs, signal, (id) => eraseJob(deps, id))) +
    (await forEachId(deps, runs, signal, (id) => eraseRun(deps, id)))
  )
}

/**
 * Deletes what belongs to no job, run or upload. The row, its keys without their names and its months stay, because the ledger
 * refers to them.
 */
async function forgetAccount({ db, storage, billing }: DeletionDependencies, accountId: string): Promise<boolean> {
  for (const { id, objectKey } of await db.analysis.findMany({ where: { accountId } })) {
    await storage.delete(objectKey)
    await forgetAnalysis(db, id)
  }
  if (!(await areContentsErased(db, accountId))) return false
  await billing.forgetCustomer?.(accountId)
  return db.$transaction(async (tx) => {
    if (!(await areContentsErased(tx, accountId))) return false
    const ofAccount = { where: { accountId } }
    await tx.probe.deleteMany(ofAccount)
    await tx.notice.deleteMany(ofAccount)
    await tx.idempotencyRecord.deleteMany(ofAccount)
    await tx.apiKey.updateMany({ ...ofAccount, data: { name: '', lastFour: '' } })
    await tx.account.updateMany({ where: { id: accountId }, data: { erasedAt: new Date() } })
    return true
  })
}

/** Works on rows in parallel, and returns for how many `work` returned true. A row that fails is logged and left to upkeep. */
async function forEachId(
  { logger }: Pick<DeletionDependencies, 'logger'>,
  rows: readonly { readonly id: string }[],
  signal: AbortSignal,
  work: (id: string) => Promise<boolean>,
): Promise<number> {
  const outcomes = await mapOrAbort(signal, { items: rows, concurrency }, async ({ id }) =>
    work(id).catch((error: unknown) => {
      logger.warn({ err: error, id }, 'not erased yet')
      return false
    }),
  )
  return outcomes.filter((isDone) => isDone).length
}
