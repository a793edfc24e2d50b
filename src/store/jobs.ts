import { ServiceError } from '../core/errors.ts'
import { endpointPrefix } from '../core/scopes.ts'
import type { Database, Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'
import type { JobModel, OutputModel } from './generated/models.ts'
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
export const withOutputs = {
  omit: { draft: true },
  include: { outputs: { orderBy: { position: 'asc' } } },
} as const

const endedStatuses: readonly JobStatus[] = ['completed', 'succeeded', 'failed']

export function hasEnded(job: Pick<Job, 'status'>): boolean {
  return endedStatuses.includes(job.status)
}

export interface JobFilter extends AskedFilter {
  readonly status?: JobStatus | undefined
  readonly endpoint?: string | undefined
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

/** Null for a job that the reader cannot see. */
export async function findJob(db: Database, reader: JobReader, jobId: string): Promise<JobWithOutputs | null> {
  return db.job.findFirst({ where: { id: jobId, ...seenBy(reader) }, ...withOutputs })
}

/** Throws `not_found` if there is no row, for example because the database was restored from a backup that is older than the job. */
export async function getJob(db: Database | Transaction, jobId: string): Promise<Job> {
  const job = await db.job.findUnique({ where: { id: jobId }, ...omitResult })
  if (!job) throw new ServiceError('not_found', 'There is no such job.')
  return job
}

export async function getResult(db: Database, jobId: string): Promise<unknown> {
  const { result } = await db.job.findUniqueOrThrow({ where: { id: jobId }, select: { result: true } })
  return result
}

/** A page of a reader's jobs, newest first. */
export async function listJobs(
  db: Database,
  reader: JobReader,
  input: ListInput<JobFilter>,
): Promise<readonly ListedJob[]> {
  const { accountId, scope } = reader
  const { status, endpoint } = input.filter
  const conditions = [
    ...listConditions(accountId, input),
    ...(scope === 'all' ? [] : [Prisma.sql`starts_with(endpoint, ${endpointPrefix(scope)})`]),
    ...(status ? [Prisma.sql`status = ${status}::"JobStatus"`] : []),
    ...(endpoint ? [Prisma.sql`endpoint = ${endpoint}`] : []),
  ]
  const page = await db.$queryRaw<{ id: string }[]>(selectPage(Prisma.sql`jobs`, conditions, input.limit))
  return db.job.findMany({ where: { id: { in: page.map(({ id }) => id) } }, orderBy: newestFirst, ...asListed })
}
