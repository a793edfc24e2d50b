import { matchEnd, matchStart, type Passage } from '../core/passages.ts'
import { endpointPrefix } from '../core/scopes.ts'
import type { Database } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { JobModel } from '../db/generated/models.ts'
import { jsonText } from '../db/rows.ts'
import { coveredBy, type JobReader } from './job-rows.ts'

/**
 * Indexes the passages of an open job, for the WITH of a statement that has its row locked as `open`. The search finds them once the job is
 * completed: writing the index takes up to a second, which the job's end, with its locked account, must not take. Those of an earlier
 * attempt are replaced. The index has each word with its account, and the account alone and with the endpoint's group, so that it finds what
 * a reader can see, and a word takes no longer for being frequent in other accounts.
 */
export function passagesSql(passages: readonly Passage[]): Prisma.Sql[] {
  const replaced = Prisma.sql`replaced AS (DELETE FROM passages USING open WHERE job_id = open.id)`
  if (passages.length === 0) return [replaced]
  return [
    replaced,
    Prisma.sql`indexed AS (
      INSERT INTO passages (job_id, start_seconds, end_seconds, text, search)
      SELECT open.id, passage.start, passage.end, passage.text, passage_words(account_id, endpoint, passage.text)
      FROM open, json_to_recordset(${jsonText(passages)}) AS passage (start float8, "end" float8, text text)
    )`,
  ]
}

/** Takes the passages of a job out of the index, for the WITH of a statement. */
export function unindexedSql(jobId: string): Prisma.Sql {
  return Prisma.sql`unindexed AS (DELETE FROM passages WHERE job_id = ${jobId})`
}

/** Indexes the passages of a job that has no draft yet, if it is open. */
export async function indexPassages(db: Database, jobId: string, passages: readonly Passage[]): Promise<void> {
  if (passages.length === 0) return
  // The lock waits for a transaction that ends the job, which takes its passages out of the index.
  const open = Prisma.sql`
    open AS (SELECT id, account_id, endpoint FROM jobs WHERE id = ${jobId} AND ended_at IS NULL AND draft IS NULL
      FOR NO KEY UPDATE)`
  await db.$executeRaw`WITH ${Prisma.join([open, ...passagesSql(passages)])} SELECT`
}

export interface PassageSearch {
  /** Words, as people type them into a search box: "a phrase", either OR other, and -without. */
  readonly words: string
  readonly limit: number
  /** The last passage of the previous page. */
  readonly after?: { readonly rank: number; readonly id: string } | undefined
}

export type FoundPassage = Pick<JobModel, 'endpoint' | 'runId' | 'mediaUrl' | 'mediaKey' | 'mediaName'> & {
  /** Where it stands among equally good ones: that of the earliest job that found it, so that pages stay right if a later one does too. */
  readonly id: string
  /** The higher, the better it matches. */
  readonly rank: number
  readonly jobId: string
  readonly startSeconds: number
  readonly endSeconds: number
  readonly text: string
  /** The part of the text with the matches, each between `matchStart` and `matchEnd`. */
  readonly excerpt: string
}

/**
 * Of more matches, only these are ranked, because ranking reads the rows: the newest ones among the account's recent passages, and if
 * these have fewer, older ones.
 */
const maxRanked = 300
const recent = { jobs: 600, passages: 1_000 }

const headline = `StartSel=${matchStart}, StopSel=${matchEnd}, MinWords=15, MaxWords=35`

/**
 * A page of the passages that a reader can see and that match, the best first, and of equal ones the newest. Of jobs that found the same
 * text at the same time in the same media, only the newest is listed.
 */
export async function searchPassages(db: Database, reader: JobReader, search: PassageSearch): Promise<FoundPassage[]> {
  return db.$queryRaw<FoundPassage[]>(selectMatching(reader, search))
}

export function selectMatching({ accountId, scope }: JobReader, { words, limit, after }: PassageSearch): Prisma.Sql {
  const owner = scope === 'all' ? accountId : `${accountId} ${endpointPrefix(scope).slice(0, -1)}`
  const query = Prisma.sql`(SELECT words FROM asked)`
  const isMatch = Prisma.sql`
    search @@ (SELECT ${`'${owner}'`}::tsquery && words FROM asked) AND numnode(${query}) > 0
    AND job_id NOT IN (SELECT id FROM jobs WHERE account_id = ${accountId} AND ended_at IS NULL)`
  return Prisma.sql`
    WITH parsed AS MATERIALIZED (
      -- Once: a prepared statement would parse the words again for each row.
      SELECT websearch_to_tsquery('english', ${words}) AS said
    ), asked AS MATERIALIZED (
      SELECT said, words_of_account(${accountId}, said::text)::tsquery AS words FROM parsed
    ), earliest AS MATERIALIZED (
      SELECT * FROM passages WHERE ${isMatch} LIMIT ${maxRanked}
    ), newest AS MATERIALIZED (
      SELECT * FROM (
        SELECT passages.* FROM (
          SELECT id FROM jobs WHERE account_id = ${accountId} AND status = 'completed'
          ORDER BY created_at DESC, id DESC LIMIT ${recent.jobs}
        ) AS job, LATERAL (SELECT * FROM passages WHERE job_id = job.id OFFSET 0) AS passages
        LIMIT ${recent.passages}
      ) AS recent
      WHERE (SELECT count(*) FROM earliest) = ${maxRanked} AND ${isMatch}
      LIMIT ${maxRanked}
    ), matching AS (
      SELECT * FROM newest
      UNION ALL SELECT * FROM earliest WHERE id NOT IN (SELECT id FROM newest)
      LIMIT ${maxRanked}
    ), timed AS (
      SELECT *, round(start_seconds * 1000) AS start_ms, round(end_seconds * 1000) AS end_ms FROM matching
    ), alike AS (
      SELECT *, count(*) OVER (PARTITION BY start_ms, end_ms, text) AS count FROM timed
    ), moments AS (
      SELECT min(alike.id) AS id, max(alike.id) AS newest_id, max(ts_rank(search, ${query}, 1))::float8 AS rank
      -- Few need their job's row, for its media.
      FROM alike LEFT JOIN jobs ON jobs.id = CASE WHEN count > 1 THEN job_id END
      GROUP BY coalesce(media_key, media_url), start_ms, end_ms, text
    ), page AS (
      SELECT * FROM moments
      ${after ? Prisma.sql`WHERE (rank, id) < (${after.rank}, ${BigInt(after.id)})` : Prisma.empty}
      ORDER BY rank DESC, id DESC LIMIT ${limit}
    )
    SELECT page.id::text, rank, passages.job_id AS "jobId", passages.start_seconds AS "startSeconds",
      passages.end_seconds AS "endSeconds", text, endpoint, run_id AS "runId", media_url AS "mediaUrl", media_key AS "mediaKey",
      media_name AS "mediaName", ts_headline('english', text, (SELECT said FROM asked), ${headline}) AS excerpt
    FROM page JOIN passages ON passages.id = newest_id JOIN jobs ON jobs.id = passages.job_id
    WHERE ${Prisma.join([Prisma.sql`account_id = ${accountId}`, Prisma.sql`deleted_at IS NULL`, ...coveredBy(scope)], ' AND ')}
    ORDER BY rank DESC, page.id DESC`
}
