import path from 'node:path'
import { z } from 'zod'
import type { RowPage } from '../core/concurrency.ts'
import { newId } from '../core/ids.ts'
import type { MediaInfo } from '../core/media.ts'
import type { MicroUsd } from '../core/money.ts'
import type { Passage } from '../core/passages.ts'
import type { Database } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { OutputModel } from '../db/generated/models.ts'
import { insertRows, jsonText, timestamp } from '../db/rows.ts'
import { type Attempt, closing, type EarlierEnds, earlierEnds } from './attempts.ts'
import { isRead } from './delete.ts'
import { getJob, type Job, jobColumns, mediaInfoSchema, omitResult } from './job-rows.ts'
import { passagesSql } from './search-index.ts'

/** Records that Temporal has the workflow. From then on, the workflow decides what happens to the job. */
export async function markDispatched(db: Database, jobId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE jobs SET accepted_at = ${timestamp(new Date())} WHERE id = ${jobId} AND accepted_at IS NULL`
}

/** Records the cancellation request; the workflow acts on it. */
export async function requestCancellation(db: Database, jobId: string): Promise<void> {
  await db.job.updateMany({
    where: { id: jobId, cancelRequestedAt: null, endedAt: null },
    data: { cancelRequestedAt: new Date() },
  })
}

/** `queued → running`; a running or ended job does not change. `startedNow`: whether this call changed it. */
export async function markRunning(
  db: Database,
  jobId: string,
  startedAt = new Date(),
): Promise<Job & { readonly startedNow: boolean }> {
  const [started] = await db.job.updateManyAndReturn({
    where: { id: jobId, status: 'queued' },
    data: { status: 'running', startedAt },
    ...omitResult,
  })
  return { ...(started ?? (await getJob(db, jobId))), startedNow: started !== undefined }
}

/** A job that has neither ended nor a draft, with the attempt of its work that was opened. */
export interface OpenedJob {
  readonly job: Job
  readonly attempt: Attempt
}

/** Opens an attempt that does a job's work from its beginning. Undefined if the job has ended or has a draft. */
export async function openWorkAttempt(db: Database, jobId: string): Promise<OpenedJob | undefined> {
  const [job] = await db.$queryRaw<(Job & EarlierEnds)[]>`
    UPDATE jobs SET open_attempts = open_attempts + 1 WHERE ${isUnfinished(jobId)} RETURNING ${jobColumns}, ${earlierEnds}`
  return job && openedJob(job)
}

/** `startedNow`: whether this attempt is the first work on the job. */
type RunAttempt = OpenedJob & { readonly startedNow: boolean }

/** Opens an attempt of a job's run, and marks the job as running, like `markRunning`. Undefined if the job has ended or has a draft. */
export async function openRunAttempt(db: Database, jobId: string): Promise<RunAttempt | undefined> {
  const now = timestamp(new Date())
  const [found] = await db.$queryRaw<[(Job & EarlierEnds & { readonly startedNow: boolean })?]>`
    UPDATE jobs SET ${starting(now)}, open_attempts = open_attempts + 1 WHERE ${isUnfinished(jobId)}
    RETURNING ${jobColumns}, ${earlierEnds}, started_at = ${now} AS "startedNow"`
  if (!found) return undefined
  const { startedNow, ...job } = found
  return { ...openedJob(job), startedNow }
}

function isUnfinished(jobId: string): Prisma.Sql {
  return Prisma.sql`id = ${jobId} AND ended_at IS NULL AND draft IS NULL`
}

function starting(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`status = 'running', started_at = coalesce(started_at, ${at})`
}

function openedJob({ workerEnds, accountEnds, ...job }: Job & EarlierEnds): OpenedJob {
  const history = { openBefore: job.openAttempts - 1, workerEnds, accountEnds }
  return { job, attempt: { jobId: job.id, ...history, isClosed: false } }
}

/** Also records the version of the bytes, if there is one, and closes the attempt that read them. */
export async function recordMediaInfo(
  db: Database,
  jobId: string,
  info: MediaInfo,
  version: string | null = null,
  attempt?: Attempt,
): Promise<void> {
  const count = await db.$executeRaw`
    UPDATE jobs SET ${describing({ info, version })}, ${closing(attempt)} WHERE id = ${jobId} AND ended_at IS NULL`
  if (count === 1 && attempt) attempt.isClosed = true
}

interface InspectedStart {
  readonly media: DescribedMedia
  /** Within the job's hold, which is fitted to it with the job's end. */
  readonly estimate: MicroUsd
  readonly startedAt: Date
}

/**
 * Records the media and the maximum price of a job whose run begins now, and marks the job as running. Returns whether this started
 * it. Undefined if the job has ended or has a draft.
 */
export async function recordInspectedStart(
  db: Database,
  jobId: string,
  { media, estimate, startedAt }: InspectedStart,
): Promise<boolean | undefined> {
  const now = timestamp(startedAt)
  const [job] = await db.$queryRaw<{ startedNow: boolean }[]>`
    UPDATE jobs SET ${describing(media)}, ${starting(now)}, estimated_micro_usd = ${estimate}::bigint
    WHERE ${isUnfinished(jobId)} RETURNING started_at = ${now} AS "startedNow"`
  return job?.startedNow
}

/** What inspection found, and the version of the bytes, if they have one. */
export interface DescribedMedia {
  readonly info: MediaInfo
  readonly version: string | null
}

/** What describes a job's media, for the SET of a statement on the job. */
export function describing({ info, version }: DescribedMedia): Prisma.Sql {
  return Prisma.sql`media_info = ${jsonText(mediaInfoSchema.parse(info))}, media_version = ${version}`
}

/** The row of a job as `describing` leaves it. */
export function withMedia<Row extends Job>(row: Row, { info, version }: DescribedMedia): Row {
  return { ...row, mediaInfo: mediaInfoSchema.parse(info), mediaVersion: version }
}

export async function recordProgress(db: Database, jobId: string, progress: number): Promise<void> {
  await db.job.updateMany({ where: { id: jobId, status: 'running', progress: { lt: progress } }, data: { progress } })
}

export const draftSchema = z.object({
  files: z.array(
    z.object({
      objectKey: z.string(),
      role: z.enum(['media', 'preview']).default('media'),
      fileName: z.string(),
      contentType: z.string(),
      bytes: z.int(),
      durationSeconds: z.number(),
      width: z.int().nullable(),
      height: z.int().nullable(),
    }),
  ),
  billedMilliseconds: z.int().min(0),
  /** Null in drafts of older workers. */
  warnings: z.array(z.string()).nullish(),
})

/** The unpublished output of a run activity, without its result. */
export type Draft = z.output<typeof draftSchema>
export type NewDraft = z.input<typeof draftSchema> & {
  readonly result: Readonly<Record<string, unknown>>
  /** For the search. */
  readonly passages?: readonly Passage[]
}

/** Records the draft of a running job, and closes the attempt that made it. If the job has a draft already, keeps that and returns false. */
export async function recordDraft(
  db: Database,
  jobId: string,
  { result, passages = [], ...draft }: NewDraft,
  attempt?: Attempt,
): Promise<boolean> {
  const document = jsonText({ result, ...draftSchema.parse(draft) })
  const open = Prisma.sql`
    open AS (
      UPDATE jobs SET draft = ${document}, ${closing(attempt)}
      WHERE id = ${jobId} AND ended_at IS NULL AND draft IS NULL RETURNING id, account_id, endpoint
    )`
  const recorded = await db.$queryRaw<unknown[]>`
    WITH ${Prisma.join([open, ...passagesSql(passages)])} SELECT id FROM open`
  if (recorded.length === 1 && attempt) attempt.isClosed = true
  return recorded.length === 1
}

/** Deletes the rows of the staged folders of a draft's files and inserts those of its outputs, for the WITH of a statement. */
export function outputsSql(jobId: string, files: Draft['files']): Prisma.Sql[] {
  if (files.length === 0) return []
  const outputs = files.map((file, position) => ({ id: newId('out'), jobId, position, ...file }))
  return [
    Prisma.sql`outputs_added AS (${insertRows('outputs', outputs)})`,
    Prisma.sql`unstaged AS (DELETE FROM staged_folders WHERE job_id = ${jobId} AND folder = ANY(${foldersOf(files)}))`,
  ]
}

/** The staged folders of a draft's files. */
export function foldersOf(files: NewDraft['files']): string[] {
  return [...new Set(files.map(({ objectKey }) => path.posix.dirname(objectKey)))]
}

export type Output = OutputModel

export async function findOutputByKey(db: Database, accountId: string, objectKey: string): Promise<Output | null> {
  return db.output.findFirst({ where: { objectKey, job: { accountId, deletedAt: null } } })
}

/** Outputs created before `createdBefore` that no open job or run reads. */
export async function findExpiredOutputs(db: Database, createdBefore: Date, { limit, except = [] }: RowPage) {
  return db.$queryRaw<{ id: string; objectKey: string }[]>`
    SELECT id, object_key AS "objectKey" FROM outputs
    WHERE created_at < ${createdBefore} AND id <> ALL(${[...except]}::text[])
      AND NOT ${isRead({ objectKey: Prisma.sql`outputs.object_key` })}
    ORDER BY created_at LIMIT ${limit}`
}

export async function forgetOutput(db: Database, id: string): Promise<void> {
  await db.output.deleteMany({ where: { id } })
}
