import { forgetBatches } from '../batches/batches.ts'
import { mapOrAbort } from '../core/abortable.ts'
import { workThrough } from '../core/concurrency.ts'
import { toUsd } from '../core/money.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import { counted } from '../core/text.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import { type DeletionDependencies, markContentsDeleted } from '../jobs/delete.ts'
import {
  areContentsErased,
  eraseAnalysis,
  eraseJob,
  eraseRun,
  eraseUpload,
  findUnerased,
  unerasedKinds,
} from '../jobs/erase.ts'
import { deliverCancellation } from '../jobs/start-and-end.ts'
import type { Mailer } from '../mail/mailer.ts'
import { forgetShares } from '../shares/shares.ts'
import { forgetWebhooks } from '../webhooks/endpoints.ts'
import { revokeKeysWithin } from './keys.ts'
import { holdPassword, type PasswordProof } from './password.ts'
import { mailboxHashes, rememberGrant } from './suspension.ts'

const concurrency = 8
const rowsTogether = 200
const batchesTogether = 10

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
      find: (page) => findUnerased(deps.db, kind, { accountId, ...page }),
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
  while ((await deleteSome(db, accountId)) > 0) signal.throwIfAborted()
  signal.throwIfAborted()
  await forgetCustomer({ db, billing }, accountId)
  return db.$transaction(async (tx) => {
    if (!(await areContentsErased(tx, accountId))) return false
    const ofAccount = { where: { accountId } }
    await tx.probe.deleteMany(ofAccount)
    await tx.notice.deleteMany(ofAccount)
    await tx.brand.deleteMany(ofAccount)
    await forgetWebhooks(tx, accountId)
    await forgetBatches(tx, accountId)
    await tx.idempotencyRecord.deleteMany(ofAccount)
    // No secret has a blank hash.
    const forgotten = { name: '', lastFour: '', secretHash: new Uint8Array(), lastUsedAt: null }
    await tx.apiKey.updateMany({ ...ofAccount, data: forgotten })
    await tx.account.updateMany({ where: { id: accountId }, data: { erasedAt: new Date() } })
    return true
  })
}

/** Throws if this process cannot reach the provider that has the account's customer: nobody would be charged, and the card would stay there. */
async function forgetCustomer(
  { db, billing }: Pick<DeletionDependencies, 'db' | 'billing'>,
  accountId: string,
): Promise<void> {
  if (billing.forgetCustomer) return billing.forgetCustomer(accountId)
  if ((await db.billingCustomer.count({ where: { accountId, customerId: { not: null } } })) > 0)
    throw new Error('the account has a customer at Stripe: run APIs and workers with BILLING=stripe until it is erased')
}

/** Deletes some of what an account can have millions of, so that one transaction can delete the rest. Returns the number of rows. */
async function deleteSome(db: Database, accountId: string): Promise<number> {
  const where = { accountId }
  const deleted = [
    await db.probe.deleteMany({ where, limit: rowsTogether }),
    await db.notice.deleteMany({ where, limit: rowsTogether }),
    // With their deliveries, of which an event has few, and an endpoint can have millions.
    await db.event.deleteMany({ where, limit: rowsTogether }),
    // With their items, up to a thousand.
    await db.batch.deleteMany({ where, limit: batchesTogether }),
    await db.idempotencyRecord.deleteMany({ where, limit: rowsTogether }),
  ]
  return deleted.reduce((sum, { count }) => sum + count, 0)
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

interface DeleteAccountDependencies {
  readonly db: Database
  readonly config: SigningConfig
  readonly mailer: Mailer | undefined
}

/**
 * Marks an account as deleted, in one transaction with the end of its keys and of its owner: user, sessions, password, address.
 * Its ledger stays. Deleting it again changes nothing. Throws `wrong_email_or_password` if the owner's password changed since its
 * proof; an operator needs none.
 */
export async function deleteAccount(
  deps: DeleteAccountDependencies,
  accountId: string,
  proof?: PasswordProof,
): Promise<void> {
  const { db, mailer } = deps
  const { owner } = await db.account.findUniqueOrThrow({ where: { id: accountId }, include: { owner: true } })
  // Before the transaction, after which nobody knows the address.
  if (owner) await mailer?.forget?.(owner.email)
  await db.$transaction(async (tx) => {
    const { suspendedAt, isAccountDeleted } = await lockAccount(tx, accountId)
    if (proof && !isAccountDeleted) await holdPassword(tx, proof)
    const mailbox = await ownersMailbox(tx, deps.config, accountId)
    if (mailbox) await rememberGrant(tx, accountId, mailbox)
    await tx.account.updateMany({
      where: { id: accountId, deletedAt: null },
      data: {
        ...{ deletedAt: new Date(), ownerId: null, name: '', suspendedReason: null },
        ...(suspendedAt ? { suspendedMailbox: mailbox } : { suspendedMailbox: null, coveredMailboxes: [] }),
      },
    })
    if (owner) {
      await tx.verification.deleteMany({ where: { value: owner.id } })
      await tx.user.deleteMany({ where: { id: owner.id } })
    }
    // Grants first: that waits for exchanges of refresh tokens, and stops further ones.
    await tx.oAuthGrant.deleteMany({ where: { accountId } })
    await tx.oAuthToken.deleteMany({ where: { connector: { accountId } } })
    await forgetShares(tx, accountId)
    await revokeKeysWithin(tx, accountId)
  })
}

/** A hash of the owner's mailbox. Null if the account has no owner, or was deleted. */
async function ownersMailbox(tx: Transaction, config: SigningConfig, accountId: string): Promise<string | null> {
  const owner = await tx.user.findFirst({ where: { account: { id: accountId } }, select: { email: true } })
  return owner && mailboxHashes(config, owner.email)[0]
}

/** What the deletion of an account would delete, in a line for operators. */
export async function describeContents(db: Database, accountId: string): Promise<string> {
  const { owner, creditMicroUsd } = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { creditMicroUsd: true, owner: { select: { email: true } } },
  })
  const here = { accountId, deletedAt: null }
  const [jobs, open, runs, uploads, files] = await Promise.all([
    db.job.count({ where: here }),
    db.job.count({ where: { ...here, endedAt: null } }),
    db.workflowRun.count({ where: here }),
    db.upload.aggregate({ where: here, _count: true, _sum: { bytes: true } }),
    db.output.aggregate({ where: { job: here }, _count: true, _sum: { bytes: true } }),
  ])
  const contents = [
    `${counted(jobs, 'job')}, of which ${open} open`,
    counted(runs, 'run'),
    `${counted(uploads._count, 'upload')} with ${uploads._sum.bytes ?? 0} bytes`,
    `${counted(files._count, 'output')} with ${files._sum.bytes ?? 0} bytes`,
    `${toUsd(creditMicroUsd)} USD of credits left`,
  ]
  return `${accountId}, ${owner ? `of ${owner.email}` : 'without an owner'}: ${contents.join('; ')}`
}
