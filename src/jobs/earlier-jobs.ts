import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { maxLabelLength, type Segment } from '../core/segments.ts'
import { mapInTurns } from '../core/turns.ts'
import type { Database } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { findResult, type Job, omitResult, seenBy } from './job-rows.ts'

/** The segments that a completed job found. */
interface StoredTimeline {
  readonly jobId: string
  readonly window: Pick<Job, 'startSeconds' | 'endSeconds'>
  readonly segments: readonly (Segment & { readonly label?: string | undefined })[]
  readonly mediaSeconds: number | undefined
  readonly minSilenceSeconds: number | undefined
}

interface TimelinesInput {
  readonly jobIds: readonly string[]
  /** Chunks or lines of text, if the result has some, with what they say. */
  readonly labelled: boolean
  readonly maxSegments: number
}

/** What the query extracts from a stored result: start, end and label of each segment, and the length of the media. */
const foundSchema = z.object({
  id: z.string(),
  segments: z.array(z.tuple([z.number(), z.number(), z.string().nullable()])),
  mediaSeconds: z.number().nullable(),
  minSilenceSeconds: z.number().nullable(),
})

/**
 * The segments of completed jobs that the credential of `job` can see, in the order of the ids. Reads two numbers and a short text of
 * each segment and not the results, which can have megabytes. Throws as `TimelineContext.earlierTimelines`.
 */
export async function getEarlierTimelines(
  db: Database,
  job: Pick<Job, 'accountId' | 'apiKeyId'>,
  { jobIds, labelled, maxSegments }: TimelinesInput,
): Promise<readonly StoredTimeline[]> {
  const reader = await readerOf(db, job)
  const jobs = await db.job.findMany({
    where: { id: { in: [...jobIds] }, status: 'completed', AND: seenBy(reader) },
    select: { id: true, startSeconds: true, endSeconds: true },
  })
  const windows = new Map(jobs.map(({ id, ...window }) => [id, window]))
  for (const id of jobIds) if (!windows.has(id)) throw noEarlierJob(id)

  const list = labelled
    ? Prisma.sql`coalesce(result->'chunks', result->'lines', result->'segments')`
    : Prisma.sql`result->'segments'`
  const label = labelled
    ? Prisma.sql`left(coalesce(segment->>'title', segment->>'text'), ${maxLabelLength})`
    : Prisma.sql`NULL`
  await assertSegmentCounts(db, { accountId: job.accountId, jobIds, list, maxSegments })
  const rows = await db.$queryRaw<unknown[]>`
    SELECT id, coalesce((
      SELECT json_agg(json_build_array(segment->'start', segment->'end', ${label}))
      FROM json_array_elements(${list}) segment
    ), '[]') AS segments, (result->>'media_seconds')::float8 AS "mediaSeconds",
      (settings->>'min_silence_seconds')::float8 AS "minSilenceSeconds"
    FROM jobs WHERE id = ANY(${jobIds}) AND account_id = ${job.accountId}`
  const parsed = await mapInTurns(rows, (row) => foundSchema.parse(row))
  const found = new Map(parsed.map((row) => [row.id, row]))
  return mapInTurns(jobIds, (jobId) => {
    const [row, window] = [found.get(jobId), windows.get(jobId)]
    if (!row || !window) throw noEarlierJob(jobId)
    const segments = row.segments.map(([start, end, text]) => ({
      start,
      end,
      ...(text === null ? {} : { label: text }),
    }))
    const { mediaSeconds, minSilenceSeconds } = row
    return {
      ...{ jobId, window, segments },
      mediaSeconds: mediaSeconds ?? undefined,
      minSilenceSeconds: minSilenceSeconds ?? undefined,
    }
  })
}

/** Who reads earlier jobs for this one: its account, within the scope of its key. */
async function readerOf(db: Database, { accountId, apiKeyId }: Pick<Job, 'accountId' | 'apiKeyId'>) {
  const key = apiKeyId === null ? null : await db.apiKey.findUnique({ where: { id: apiKeyId } })
  return { accountId, scope: key?.scope ?? 'all' }
}

interface SegmentCountsInput {
  readonly accountId: string
  readonly jobIds: readonly string[]
  readonly list: Prisma.Sql
  readonly maxSegments: number
}

async function assertSegmentCounts(
  db: Database,
  { accountId, jobIds, list, maxSegments }: SegmentCountsInput,
): Promise<void> {
  const counts = await db.$queryRaw<{ id: string; segments: number | null }[]>`
    SELECT id, CASE WHEN json_typeof(${list}) = 'array' THEN json_array_length(${list}) END AS segments
    FROM jobs WHERE id = ANY(${jobIds}) AND account_id = ${accountId}`
  const without = counts.find(({ segments }) => segments === null)
  if (without) {
    throw new ServiceError(
      'invalid_request',
      `The result of ${without.id} has no segments. Use a job that finds segments.`,
    )
  }
  const total = counts.reduce((sum, { segments }) => sum + (segments ?? 0), 0)
  if (total <= maxSegments) return
  throw new ServiceError(
    'invalid_request',
    `The results have ${total} segments together, more than ${maxSegments}. Use fewer jobs, or jobs that found fewer segments.`,
  )
}

function noEarlierJob(id: string): ServiceError {
  return new ServiceError(
    'not_found',
    `There is no completed job ${id} in this account. Check the id, or wait for its end.`,
  )
}

/** The result of a completed job that the credential of `job` can see. Throws `not_found` for other jobs. */
export async function getEarlierResult(
  db: Database,
  job: Pick<Job, 'accountId' | 'apiKeyId'>,
  jobId: string,
): Promise<unknown> {
  const { id } = await getEarlierJob(db, job, jobId)
  return findResult(db, id)
}

/** A completed job, with its files, that the credential of `job` can see. Throws `not_found` for other jobs. */
export async function getEarlierJob(db: Database, job: Pick<Job, 'accountId' | 'apiKeyId'>, jobId: string) {
  const where = { id: jobId, status: 'completed' as const, AND: seenBy(await readerOf(db, job)) }
  const found = await db.job.findFirst({ where, ...omitResult, include: { outputs: true } })
  if (!found) throw noEarlierJob(jobId)
  return found
}
