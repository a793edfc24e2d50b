import { z } from 'zod'
import { isErrorCode, ServiceError } from '../core/errors.ts'
import { firstFields, type MediaInfo, mediaFormats } from '../core/media.ts'
import { endpointPrefix } from '../core/scopes.ts'
import { type AccountStanding, type Database, standingColumns, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { JobModel, OutputModel } from '../db/generated/models.ts'
import { selectFields } from '../db/rows.ts'
import { type AskedFilter, type ListInput, listConditions, newestFirst, selectPage } from './list-conditions.ts'

/** The row without draft and result. */
export type Job = Omit<JobModel, 'draft' | 'result'>
export type ListedJob = Omit<Job, 'settings'>
export type JobWithOutputs = Job & { readonly outputs: readonly OutputModel[] } & Pick<JobModel, 'result'>
export type JobStatus = Job['status']

/** Results can have thousands of numbers, so queries omit them unless they are needed. */
export const omitResult = { omit: { draft: true, result: true } } as const
/** A list can have a hundred jobs, and the settings of one can be a quarter of a megabyte. */
export const asListed = { omit: { draft: true, result: true, settings: true } } as const
/** The columns of a `Job`. */
export const jobColumns = selectFields(
  Object.values(Prisma.JobScalarFieldEnum).filter((field) => field !== 'draft' && field !== 'result'),
)
const outputColumns = selectFields(Object.values(Prisma.OutputScalarFieldEnum))
/** An output as JSON. */
const outputRow = z.object({
  id: z.string(),
  jobId: z.string(),
  position: z.int(),
  objectKey: z.string(),
  role: z.enum(['media', 'preview']),
  fileName: z.string(),
  contentType: z.string(),
  bytes: z.int().transform(BigInt),
  durationSeconds: z.number(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  createdAt: z.coerce.date(),
}) satisfies z.ZodType<OutputModel>
export const withOutputs = {
  omit: { draft: true },
  include: { outputs: { orderBy: { position: 'asc' } } },
} as const

const endedStatuses: readonly JobStatus[] = ['completed', 'succeeded', 'failed']

export function hasEnded(job: Pick<Job, 'status'>): boolean {
  return endedStatuses.includes(job.status)
}

interface JobFilter extends AskedFilter {
  readonly status?: JobStatus | undefined
  readonly endpoint?: string | undefined
  readonly runId?: string | undefined
}

/** A reader of jobs: an account, and the scope of its credential. */
export interface JobReader {
  readonly accountId: string
  readonly scope: string
}

/** The jobs that a reader can see: the account's that are not deleted, for the endpoints that the scope covers. */
export function seenBy({ accountId, scope }: JobReader) {
  const own = { accountId, deletedAt: null }
  return scope === 'all' ? own : { ...own, endpoint: { startsWith: endpointPrefix(scope) } }
}

/** The conditions for endpoints that the scope covers. */
export function coveredBy(scope: string): Prisma.Sql[] {
  return scope === 'all' ? [] : [Prisma.sql`starts_with(endpoint, ${endpointPrefix(scope)})`]
}

/** As text. Parsing, checking and writing a larger result takes an API process tens of milliseconds. */
const maxSmallResultBytes = 256 * 1024

/** A job whose large result is left out, for `findResult` to read. */
export type FoundJob = Omit<JobWithOutputs, 'result'> & {
  readonly smallResult: JobWithOutputs['result']
  readonly hasLargeResult: boolean
}

interface FoundColumns {
  readonly hasResult: boolean
  readonly outputs: unknown
}

/** Null for a job that the reader cannot see. */
export async function findJob(db: Database, reader: JobReader, jobId: string): Promise<FoundJob | null> {
  const { accountId, scope } = reader
  const conditions = [Prisma.sql`id = ${jobId}`, ...listConditions(accountId, { filter: {} }), ...coveredBy(scope)]
  const [row] = await db.$queryRaw<(Omit<FoundJob, 'outputs' | 'hasLargeResult'> & FoundColumns)[]>`
    SELECT ${jobColumns}, result IS NOT NULL AS "hasResult",
      CASE WHEN octet_length(result::text) <= ${maxSmallResultBytes} THEN result END AS "smallResult", (
      SELECT json_agg(output ORDER BY position) FROM (SELECT ${outputColumns} FROM outputs WHERE job_id = ${jobId}) AS output
    ) AS outputs
    FROM jobs WHERE ${Prisma.join(conditions, ' AND ')}`
  if (!row) return null
  const { hasResult, outputs, ...job } = row
  const hasLargeResult = hasResult && job.smallResult === null
  return { ...job, hasLargeResult, outputs: z.array(outputRow).parse(outputs ?? []) }
}

/** The result of a job, or null if it has none. */
export async function findResult(db: Database, jobId: string): Promise<JobWithOutputs['result']> {
  const job = await db.job.findUnique({ where: { id: jobId }, select: { result: true } })
  return job?.result ?? null
}

/** Whether the results of these jobs are large together. */
export async function hasLargeResults(db: Database, jobIds: readonly string[]): Promise<boolean> {
  const [sum] = await db.$queryRaw<{ isLarge: boolean | null }[]>`
    SELECT sum(octet_length(result::text)) > ${maxSmallResultBytes} AS "isLarge" FROM jobs WHERE id = ANY(${[...jobIds]})`
  return sum?.isLarge === true
}

/** Throws `not_found` if there is no row, for example because the database was restored from a backup that is older than the job. */
export async function getJob(db: Database | Transaction, jobId: string): Promise<Job> {
  const [job] = await db.$queryRaw<Job[]>`SELECT ${jobColumns} FROM jobs WHERE id = ${jobId}`
  return job ?? throwMissing()
}

/** Null for a job without a draft. */
const draftWithoutResult = Prisma.sql`
  CASE WHEN draft IS NOT NULL THEN json_build_object('files', draft -> 'files',
    'billedMilliseconds', draft -> 'billedMilliseconds', 'warnings', draft -> 'warnings') END AS draft`

/** A locked job with its locked account, whose rows do not change until the transaction ends, and the unparsed draft without its result. */
export type LockedJob = Job & AccountStanding & { readonly draft: unknown }

/** Locks the job's row, then its account's. Throws like `getJob`. */
export async function lockJobAndAccount(tx: Transaction, jobId: string): Promise<LockedJob> {
  const [job] = await tx.$queryRaw<LockedJob[]>`
    WITH job AS (
      SELECT ${jobColumns}, ${draftWithoutResult} FROM jobs WHERE id = ${jobId} FOR UPDATE
    )
    SELECT job.*, ${standingColumns} FROM job JOIN accounts ON accounts.id = job."accountId" FOR UPDATE OF accounts`
  return job ?? throwMissing()
}

function throwMissing(): never {
  throw new ServiceError('not_found', 'There is no such job.')
}

/** A page of a reader's jobs, newest first. */
export async function listJobs(
  db: Database,
  reader: JobReader,
  input: ListInput<JobFilter>,
): Promise<readonly ListedJob[]> {
  const { accountId, scope } = reader
  const { status, endpoint, runId } = input.filter
  const conditions = [
    ...listConditions(accountId, input),
    ...coveredBy(scope),
    ...(status ? [Prisma.sql`status = ${status}::"JobStatus"`] : []),
    ...(endpoint ? [Prisma.sql`endpoint = ${endpoint}`] : []),
    ...(runId ? [Prisma.sql`run_id = ${runId}`] : []),
  ]
  const page = await db.$queryRaw<{ id: string }[]>(selectPage(Prisma.sql`jobs`, conditions, input.limit))
  return db.job.findMany({ where: { id: { in: page.map(({ id }) => id) } }, orderBy: newestFirst, ...asListed })
}

// The JSON columns of a job, parsed when they are read and written.

export const mediaInfoSchema = z.object({
  format: z.enum(mediaFormats),
  durationSeconds: z.number(),
  bytes: z.number(),
  audio: z.array(
    z.object({
      codec: z.string(),
      sampleRate: z.number(),
      channels: z.number(),
      layout: z.string().optional(),
      isDefault: z.boolean(),
      endSeconds: z.number().optional(),
      earlySeconds: z.number().optional(),
      isEmpty: z.boolean().optional(),
    }),
  ),
  unreadAudioTracks: z.number().optional(),
  timecode: z.string().optional(),
  timecodeBase: z.number().optional(),
  secondsSinceMidnight: z.number().optional(),
  video: z
    .object({
      codec: z.string(),
      width: z.number(),
      height: z.number(),
      frameRate: z.number(),
      hasVariableFrameRate: z.boolean(),
      nominalFrameRate: z.number().optional(),
      pixelAspect: z.object({ across: z.number(), down: z.number() }).optional(),
      firstField: z.enum(firstFields).optional(),
      startSeconds: z.number().optional(),
      trackIndex: z.number().optional(),
    })
    .nullable(),
}) satisfies z.ZodType<MediaInfo>

/** Why a job failed: a code of the error table and its public message. */
export const failureSchema = z.object({ code: z.string().refine(isErrorCode), message: z.string() })

export type Failure = z.output<typeof failureSchema>

/** The caller's labels. */
const metadataSchema = z.record(z.string(), z.string())

export type Metadata = z.output<typeof metadataSchema>

export function mediaInfoOf(job: Pick<JobModel, 'mediaInfo'>): MediaInfo | undefined {
  return job.mediaInfo === null ? undefined : mediaInfoSchema.parse(job.mediaInfo)
}

export function failureOfJob(job: Pick<JobModel, 'error'>): Failure | undefined {
  return job.error === null ? undefined : failureSchema.parse(job.error)
}

export function metadataOf({ metadata }: Pick<JobModel, 'metadata'>): Metadata | undefined {
  return metadata === null ? undefined : metadataSchema.parse(metadata)
}

/** Names media: a public URL, or one generation of an object in our storage. */
export interface MediaReference {
  /** As clients see it, without a signature. */
  readonly url: string
  /** Null if the media is on another server. */
  readonly object: PinnedObject | null
  /** A file name, never a URL; null if the URL names no file. */
  readonly name: string | null
}

export interface PinnedObject {
  readonly key: string
  readonly generation: string
}

/** The row of a job or an estimate: whose media it is, and the id under which a worker keeps it open. */
export type MediaRow = Pick<Job, 'id' | 'accountId' | keyof MediaColumns>

interface MediaColumns {
  readonly mediaUrl: string | null
  readonly mediaKey: string | null
  readonly mediaGeneration: string | null
}

/** The reference in the row of a job, a run or an estimate. Throws if the job reads no media. */
export function referenceOf({
  mediaUrl: url,
  mediaKey: key,
  mediaGeneration: generation,
  mediaName: name = null,
}: MediaColumns & { readonly mediaName?: string | null }): MediaReference {
  if (url === null) throw new TypeError('this row has no media')
  return { url, object: key !== null && generation !== null ? { key, generation } : null, name }
}

/** The columns that hold a reference. */
export function columnsOf({ url, object, name }: MediaReference) {
  return {
    mediaUrl: url,
    mediaKey: object?.key ?? null,
    mediaGeneration: object?.generation ?? null,
    mediaName: name,
  }
}
