import { ServiceError } from '../core/errors.ts'
import type { MediaInfo } from '../core/media.ts'
import { isPostgresText, notPostgresText } from '../core/postgres-text.ts'
import { endpointPrefix } from '../core/scopes.ts'
import type { Database, Transaction } from './database.ts'
import type { JobModel, OutputModel } from './generated/models.ts'
import { type Draft, draftSchema, mediaInfoSchema, type NewDraft } from './job-documents.ts'

/** The row, without what the job found. */
export type Job = Omit<JobModel, 'draft' | 'result'>
export type JobWithOutputs = Job & { readonly outputs: readonly OutputModel[] } & Pick<JobModel, 'result'>
export type JobStatus = Job['status']

/** A result can hold thousands of numbers: who needs it asks for it. */
export const omitResult = { omit: { draft: true, result: true } } as const
export const withOutputs = {
  omit: { draft: true },
  include: { outputs: { orderBy: { position: 'asc' } } },
} as const

const endedStatuses: readonly JobStatus[] = ['completed', 'succeeded', 'failed']

export function hasEnded(job: Pick<Job, 'status'>): boolean {
  return endedStatuses.includes(job.status)
}

export interface JobFilter {
  readonly status?: JobStatus | undefined
  readonly endpoint?: string | undefined
}

/** Who asks: an account, and the scope of its credential. */
export interface JobReader {
  readonly accountId: string
  readonly scope: string
}

/** The jobs that a reader sees: the account's, of the endpoints that the scope covers. */
function seenBy({ accountId, scope }: JobReader) {
  return scope === 'all' ? { accountId } : { accountId, endpoint: { startsWith: endpointPrefix(scope) } }
}

/** Null for a job that the reader does not see. */
export async function findJob(db: Database, reader: JobReader, jobId: string): Promise<JobWithOutputs | null> {
  return db.job.findFirst({ where: { id: jobId, ...seenBy(reader) }, ...withOutputs })
}

/** `not_found` where there is no row, as after a restore of the database from a time before the job. */
export async function getJob(db: Database | Transaction, jobId: string): Promise<Job> {
  const job = await db.job.findUnique({ where: { id: jobId }, ...omitResult })
  if (!job) throw new ServiceError('not_found', 'There is no such job.')
  return job
}

/** A completed job that the credential which made the other one sees; `not_found` else. */
export async function getEarlierJob(db: Database, made: Job, jobId: string): Promise<JobWithOutputs> {
  const key = made.apiKeyId === null ? null : await db.apiKey.findUnique({ where: { id: made.apiKeyId } })
  const job = await findJob(db, { accountId: made.accountId, scope: key?.scope ?? 'all' }, jobId)
  if (job?.status === 'completed') return job
  throw new ServiceError(
    'not_found',
    `There is no completed job ${jobId} in this account. Check the id, or wait for its end.`,
  )
}

export async function getResult(db: Database, jobId: string): Promise<unknown> {
  const { result } = await db.job.findUniqueOrThrow({ where: { id: jobId }, select: { result: true } })
  return result
}

/** Newest first. `after` is the last job of the page before. */
export async function listJobs(
  db: Database,
  reader: JobReader,
  { limit, after, filter }: { limit: number; after?: { createdAt: Date; id: string } | undefined; filter: JobFilter },
): Promise<Job[]> {
  return db.job.findMany({
    where: {
      AND: seenBy(reader),
      ...(filter.status ? { status: filter.status } : {}),
      ...(filter.endpoint ? { endpoint: filter.endpoint } : {}),
      ...(after
        ? { OR: [{ createdAt: { lt: after.createdAt } }, { createdAt: after.createdAt, id: { lt: after.id } }] }
        : {}),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
    ...omitResult,
  })
}

/** Temporal has the workflow: from here on it is the truth. */
export async function markDispatched(db: Database, jobId: string): Promise<void> {
  await db.job.updateMany({ where: { id: jobId, dispatchedAt: null }, data: { dispatchedAt: new Date() } })
}

/** Remembers the wish; whoever runs the job carries it out. */
export async function requestCancellation(db: Database, jobId: string): Promise<void> {
  await db.job.updateMany({
    where: { id: jobId, cancelRequestedAt: null, endedAt: null },
    data: { cancelRequestedAt: new Date() },
  })
}

/** Admitted jobs that Temporal never took, oldest first. */
export async function findUndispatchedJobs(db: Database, olderThanSeconds: number, limit: number): Promise<Job[]> {
  return db.job.findMany({
    where: {
      status: 'queued',
      dispatchedAt: null,
      cancelRequestedAt: null,
      admittedAt: { lt: secondsAgo(olderThanSeconds) },
    },
    orderBy: { createdAt: 'asc' },
    take: limit,
    ...omitResult,
  })
}

/** Jobs that were started and have not ended, by id from after `afterId` up to `toId`: whether somebody still runs them is to be seen. */
export async function findDispatchedJobs(
  db: Database,
  olderThanSeconds: number,
  { afterId, toId, limit }: { afterId: string; toId: string | undefined; limit: number },
): Promise<Job[]> {
  return db.job.findMany({
    where: {
      id: { gt: afterId, ...(toId === undefined ? {} : { lte: toId }) },
      status: { in: ['queued', 'running'] },
      OR: [
        { dispatchedAt: { lt: secondsAgo(olderThanSeconds) } },
        { dispatchedAt: null, startedAt: { lt: secondsAgo(olderThanSeconds) } },
      ],
    },
    orderBy: { id: 'asc' },
    take: limit,
    ...omitResult,
  })
}

/** Those of the jobs that have ended or that there are none of. */
export async function findEnded(db: Database, jobIds: readonly string[]): Promise<string[]> {
  const open = await db.job.findMany({ where: { id: { in: [...jobIds] }, endedAt: null }, select: { id: true } })
  const openIds = new Set(open.map(({ id }) => id))
  return jobIds.filter((id) => !openIds.has(id))
}

/** Jobs that go on although their cancellation was asked for, oldest first. */
export async function findUndeliveredCancellations(
  db: Database,
  olderThanSeconds: number,
  limit: number,
): Promise<Job[]> {
  return db.job.findMany({
    where: { status: { in: ['queued', 'running'] }, cancelRequestedAt: { lt: secondsAgo(olderThanSeconds) } },
    orderBy: { createdAt: 'asc' },
    take: limit,
    ...omitResult,
  })
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000)
}

/** `queued → running`; a job that runs or has ended stays as it is. `startedNow` tells whether this call moved it. */
export async function markRunning(db: Database, jobId: string): Promise<Job & { readonly startedNow: boolean }> {
  const [started] = await db.job.updateManyAndReturn({
    where: { id: jobId, status: 'queued' },
    data: { status: 'running', startedAt: new Date() },
    ...omitResult,
  })
  return { ...(started ?? (await getJob(db, jobId))), startedNow: started !== undefined }
}

/** With the version of the bytes, where there is one. */
export async function recordMediaInfo(
  db: Database,
  jobId: string,
  info: MediaInfo,
  mediaVersion: string | null = null,
): Promise<void> {
  const mediaInfo = mediaInfoSchema.parse(info)
  await db.job.updateMany({ where: { id: jobId, endedAt: null }, data: { mediaInfo, mediaVersion } })
}

export async function recordProgress(db: Database, jobId: string, progress: number): Promise<void> {
  await db.job.updateMany({ where: { id: jobId, status: 'running', progress: { lt: progress } }, data: { progress } })
}

const unreadable = { retryable: false, cause: new Error(notPostgresText) }

/** The first draft of a running job stays; a later one is refused with false. */
export async function recordDraft(db: Database, jobId: string, { result, ...draft }: NewDraft): Promise<boolean> {
  // Prisma would walk the result, of thousands of numbers, and walk it again when it is published.
  const document = JSON.stringify({ result, ...draftSchema.parse(draft) })
  // The database would take it, and never read it again.
  if (!isPostgresText(document)) throw new ServiceError('server_error', undefined, unreadable)
  const count = await db.$executeRaw`
    UPDATE jobs SET draft = ${document}::json WHERE id = ${jobId} AND ended_at IS NULL AND draft IS NULL`
  return count === 1
}

/** Undefined where the job has none. */
export async function findDraft(db: Database | Transaction, jobId: string): Promise<Draft | undefined> {
  const [row] = await db.$queryRaw<{ draft: unknown }[]>`
    SELECT json_build_object('files', draft -> 'files', 'billedMilliseconds', draft -> 'billedMilliseconds') AS draft
    FROM jobs WHERE id = ${jobId} AND draft IS NOT NULL`
  return row && draftSchema.parse(row.draft)
}

/** Makes the result of the job's draft its own. */
export async function publishDraft(tx: Transaction, jobId: string): Promise<void> {
  await tx.$executeRaw`UPDATE jobs SET result = draft -> 'result', draft = NULL WHERE id = ${jobId}`
}
