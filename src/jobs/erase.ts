import { Readable } from 'node:stream'
import type { RowPage } from '../core/concurrency.ts'
import { errorTable } from '../core/errors.ts'
import { dayMs } from '../core/time-code.ts'
import { type Database, lockJob, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { eraseEventsOf } from '../webhooks/events.ts'
import { type Analysis, analysisSource, jobFolder, type NamedMedia } from './analysis-rows.ts'
import { type DeletionDependencies, isRead } from './delete.ts'
import { failureSchema } from './job-rows.ts'

// Erasing a deleted row: its objects first, then the contents of the row, so that an interruption leaves a row that upkeep finds.
// Every function can be repeated, and returns whether nothing is left.

type EraseDependencies = Pick<DeletionDependencies, 'db' | 'storage'>

/** Erases a deleted job that has ended. Objects of an attempt that may still write are left to upkeep, and the job is not finished. */
export async function eraseJob(deps: EraseDependencies, jobId: string): Promise<boolean> {
  const { db, storage } = deps
  const job = await db.job.findFirst({
    where: { id: jobId, deletedAt: { not: null }, endedAt: { not: null } },
    include: { outputs: true, staged: true },
  })
  if (!job || job.erasedAt) return job !== null
  if (job.outputs.length + job.staged.length > 0) await storage.deleteUnder(jobFolder(jobId))
  for (const { objectKey: key } of job.outputs) await forgetMedia(deps, job.accountId, { url: '', object: { key } })
  if (job.mediaUrl !== null && job.mediaKey === null) {
    await forgetMedia(deps, job.accountId, { url: job.mediaUrl, object: null })
  }
  return db.$transaction(async (tx) => {
    await lockJob(tx, jobId)
    await tx.output.deleteMany({ where: { jobId } })
    await eraseEventsOf(tx, jobId)
    const isFinished = (await tx.stagedFolder.count({ where: { jobId } })) === 0
    await tx.job.update({ where: { id: jobId }, data: { ...erasedJob, erasedAt: isFinished ? new Date() : null } })
    return isFinished
  })
}

/** Erases a deleted run that has ended, after its jobs. What it failed with stays: its batch counts it. */
export async function eraseRun({ db }: Pick<EraseDependencies, 'db'>, runId: string): Promise<boolean> {
  const run = await db.workflowRun.findFirst({
    where: { id: runId, deletedAt: { not: null }, endedAt: { not: null }, jobs: { none: { erasedAt: null } } },
    select: { error: true, apiKeyId: true },
  })
  if (!run) return false
  await eraseEventsOf(db, runId)
  if (run.apiKeyId) await db.batchItem.updateMany({ where: { batchId: run.apiKeyId, runId }, data: { mediaUrl: null } })
  const code = run.error === null ? undefined : failureSchema.parse(run.error).code
  const error = code && { code, message: errorTable[code].message }
  await db.workflowRun.update({
    where: { id: runId },
    data: { ...erasedRun, ...(error ? { error } : {}), erasedAt: new Date() },
  })
  return true
}

/** An upload_url lives a week at most; a PUT that began in time has ended a day later. */
const uploadUrlIsOverMs = 8 * dayMs

/**
 * Erases a deleted upload once no open job or run reads it: a job that is being canceled would fail for its media. An empty object takes
 * the place of its bytes, so that storage of either kind refuses a PUT, also one that has begun. When no upload_url can be used
 * any more, upkeep deletes it with the row, as it deletes expired uploads.
 */
export async function eraseUpload(deps: EraseDependencies, uploadId: string): Promise<boolean> {
  const { db, storage } = deps
  const upload = await db.upload.findFirst({ where: { id: uploadId, deletedAt: { not: null } } })
  if (!upload || upload.erasedAt) return true
  const { accountId, objectKey, contentType, createdAt, expiresAt } = upload
  const object = { objectKey: Prisma.sql`${objectKey}`, uploadId: Prisma.sql`${uploadId}::text` }
  const [{ stays }] = await db.$queryRaw<[{ stays: boolean }]>`SELECT ${isRead(object)} AS stays`
  if (stays) return false
  // With what a resumable upload has sent.
  await storage.delete(objectKey)
  await storage.write(objectKey, Readable.from([]), contentType)
  await forgetMedia(deps, accountId, { url: '', object: { key: objectKey } })
  await eraseEventsOf(db, uploadId)
  const endsAt = Math.min(expiresAt.getTime(), createdAt.getTime() + uploadUrlIsOverMs)
  await db.upload.updateMany({
    where: { id: uploadId },
    data: { fileName: '', metadata: Prisma.DbNull, expiresAt: new Date(endsAt), erasedAt: new Date() },
  })
  return true
}

/** Deletes what the account's jobs and estimates stored about the media. For a URL, it stays while another job with the same URL does. */
async function forgetMedia({ db, storage }: EraseDependencies, accountId: string, media: NamedMedia): Promise<void> {
  const { url, object } = media
  if (!object && (await isReadByJob(db, accountId, url))) return
  const source = analysisSource(media)
  const analyses = await db.analysis.findMany({ where: { accountId, source }, select: { id: true, objectKey: true } })
  for (const analysis of analyses) await eraseAnalysis({ db, storage }, analysis)
  const name = object?.key ?? url
  await db.$executeRaw`
    DELETE FROM probes WHERE account_id = ${accountId} AND (media_key IS NOT NULL) = ${object !== null}
      AND coalesce(media_key, media_url) = ${name} AND hashtextextended(coalesce(media_key, media_url), 0) = hashtextextended(${name}, 0)`
}

/** Whether a job that is not deleted has this URL. The hash is what the index has, because URLs are too long for one. */
async function isReadByJob(db: Database, accountId: string, url: string): Promise<boolean> {
  const jobs = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM jobs WHERE account_id = ${accountId} AND deleted_at IS NULL AND media_key IS NULL
      AND media_url = ${url} AND hashtextextended(media_url, 0) = hashtextextended(${url}, 0) LIMIT 1`
  return jobs.length > 0
}

/** Deletes a stored analysis. */
export async function eraseAnalysis(
  { db, storage }: Pick<EraseDependencies, 'db' | 'storage'>,
  { id, objectKey }: Pick<Analysis, 'id' | 'objectKey'>,
): Promise<boolean> {
  await storage.delete(objectKey)
  await db.analysis.deleteMany({ where: { id } })
  return true
}

// What is left to erase of deleted rows. `erasedAt` says that nothing of a row's contents is left.

const unerased = { deletedAt: { not: null }, erasedAt: null } as const
const oldestFirst = { orderBy: { deletedAt: 'asc' }, select: { id: true } } as const

/** In this order: jobs read uploads, and a run is erased after its jobs. */
export const unerasedKinds = ['uploads', 'jobs', 'runs'] as const

interface UnerasedInput extends RowPage {
  readonly accountId?: string | undefined
}

/** Rows that are deleted and not erased, of one account or of all, without those with the given ids. Jobs and runs that have not ended are left out. */
export async function findUnerased(
  db: Database,
  kind: (typeof unerasedKinds)[number],
  { accountId, limit: take, except = [] }: UnerasedInput,
): Promise<{ id: string }[]> {
  const where = { ...unerased, id: { notIn: [...except] }, ...(accountId === undefined ? {} : { accountId }) }
  const ended = { ...where, endedAt: { not: null } }
  switch (kind) {
    case 'uploads':
      return db.upload.findMany({ where, take, ...oldestFirst })
    case 'jobs':
      return db.job.findMany({ where: ended, take, ...oldestFirst })
    case 'runs':
      return db.workflowRun.findMany({ where: { ...ended, jobs: { none: { erasedAt: null } } }, take, ...oldestFirst })
  }
}

export async function findUnerasedAccounts(db: Database, { limit, except = [] }: RowPage): Promise<string[]> {
  const where = { ...unerased, id: { notIn: [...except] } }
  const accounts = await db.account.findMany({ where, take: limit, ...oldestFirst })
  return accounts.map(({ id }) => id)
}

/** Whether all jobs, runs, uploads and analyses of the account are erased. */
export async function areContentsErased(tx: Transaction, accountId: string): Promise<boolean> {
  if (await tx.analysis.findFirst({ where: { accountId }, select: { id: true } })) return false
  const one = { where: { accountId, erasedAt: null }, select: { id: true } } as const
  return !(await tx.upload.findFirst(one)) && !(await tx.job.findFirst(one)) && !(await tx.workflowRun.findFirst(one))
}

/** What an erased job or run loses. Ids, endpoint, times and prices stay. */
const noMedia = {
  requestId: '',
  mediaKey: null,
  mediaGeneration: null,
  mediaName: null,
  startSeconds: null,
  endSeconds: null,
  settings: {},
  metadata: Prisma.DbNull,
  warnings: [],
  error: Prisma.DbNull,
  traceParent: null,
}

const erasedJob = {
  ...noMedia,
  mediaUrl: null,
  mediaVersion: null,
  givenSettings: [],
  mediaInfo: Prisma.DbNull,
  draft: Prisma.DbNull,
  result: Prisma.DbNull,
} satisfies Prisma.JobUpdateInput

const erasedRun = { ...noMedia, mediaUrl: '', mediaSeconds: 0 } satisfies Prisma.WorkflowRunUpdateInput
