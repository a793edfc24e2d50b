import { ServiceError } from '../core/errors.ts'
import { endpointPrefix } from '../core/scopes.ts'
import type { Database, Transaction } from './database.ts'
import type { JobModel, OutputModel } from './generated/models.ts'

/** The row without draft and result. */
export type Job = Omit<JobModel, 'draft' | 'result'>
export type JobWithOutputs = Job & { readonly outputs: readonly OutputModel[] } & Pick<JobModel, 'result'>
export type JobStatus = Job['status']

/** Results can have thousands of numbers, so queries omit them unless they are needed. */
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

/** A reader of jobs: an account, and the scope of its credential. */
export interface JobReader {
  readonly accountId: string
  readonly scope: string
}

/** The jobs that a reader can see: the account's, for the endpoints that the scope covers. */
export function seenBy({ accountId, scope }: JobReader) {
  return scope === 'all' ? { accountId } : { accountId, endpoint: { startsWith: endpointPrefix(scope) } }
}

/** Null for a job that the reader cannot see. */
export async function findJob(db: Database, reader: JobReader, jobId: string): Promise<JobWithOutputs | null> {
  return db.job.findFirst({ where: { id: jobId, ...seenBy(reader) }, ...withOutputs })
}

/** Throws `not_found` if there is no row, for example after a restore of the database from before the job. */
export async function getJob(db: Database | Transaction, jobId: string): Promise<Job> {
  const job = await db.job.findUnique({ where: { id: jobId }, ...omitResult })
  if (!job) throw new ServiceError('not_found', 'There is no such job.')
  return job
}

export async function getResult(db: Database, jobId: string): Promise<unknown> {
  const { result } = await db.job.findUniqueOrThrow({ where: { id: jobId }, select: { result: true } })
  return result
}

/** Newest first. `after` is the last job of the previous page. */
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
