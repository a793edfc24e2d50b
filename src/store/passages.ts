import { matchEnd, matchStart, type Passage } from '../core/passages.ts'
import { endpointPrefix } from '../core/scopes.ts'
import type { Database } from './database.ts'
import { Prisma } from './generated/client.ts'
import type { JobModel } from './generated/models.ts'
import { coveredBy, type JobReader } from './jobs.ts'
import { jsonText } from './rows.ts'

/**
 * Indexes the passages of a job that completes, for the WITH of its statement: those of its draft, or the given ones. Besides its words,
 * each has its account, alone and with the endpoint's group, so that one index finds the words of what a reader can see.
 */
export function passagesSql(jobId: string, passages: 'of the draft' | readonly Passage[]): Prisma.Sql[] {
  if (passages.length === 0) return []
  const list = passages === 'of the draft' ? Prisma.sql`jobs.draft -> 'passages'` : jsonText(passages)
  return [
    Prisma.sql`indexed AS (
      INSERT INTO passages (job_id, start_seconds, end_seconds, text, search)
      SELECT jobs.id, passage.start, passage.end, passage.text,
        array_to_tsvector(ARRAY[account_id, account_id || ' ' || split_part(endpoint, '/', 1)]) || to_tsvector('english', passage.text)
      FROM jobs, json_to_recordset(${list}) AS passage (start float8, "end" float8, text text)
      WHERE jobs.id = ${jobId}
    )`,
  ]
}

export interface PassageSearch {
  /** Words, as people type them into a search box: "a phrase", either OR other, and -without. */
  readonly words: string
  readonly limit: number
  /** The last passage of the previous page. */
  readonly after?: { readonly rank: number; readonly id: string } | undefined
}

export type FoundPassage = Pick<JobModel, 'endpoint' | 'runId' | 'mediaUrl' | 'mediaKey' | 'mediaName'> & {
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

/** Of more matches, only these are ranked: a word that is in everything says little about any, and ranking reads the rows. */
const maxRanked = 1_000

const headline = `StartSel=${matchStart}, StopSel=${matchEnd}, MinWords=15, MaxWords=35`

/** A page of the passages that a reader can see and that match, the best first, and of equal ones the newest. */
export async function searchPassages(db: Database, reader: JobReader, search: PassageSearch): Promise<FoundPassage[]> {
  return db.$queryRaw<FoundPassage[]>(selectMatching(reader, search))
}

export function selectMatching({ accountId, scope }: JobReader, { words, limit, after }: PassageSearch): Prisma.Sql {
  const owner = scope === 'all' ? accountId : `${accountId} ${endpointPrefix(scope).slice(0, -1)}`
  const query = Prisma.sql`websearch_to_tsquery('english', ${words})`
  return Prisma.sql`
    WITH matching AS (
      SELECT id, search FROM passages
      WHERE search @@ (${`'${owner}'`}::tsquery && ${query}) AND numnode(${query}) > 0
      LIMIT ${maxRanked}
    ), ranked AS (
      SELECT id, ts_rank(search, ${query}, 1)::float8 AS rank FROM matching
    ), page AS (
      SELECT id, rank FROM ranked
      ${after ? Prisma.sql`WHERE (rank, id) < (${after.rank}, ${BigInt(after.id)})` : Prisma.empty}
      ORDER BY rank DESC, id DESC LIMIT ${limit}
    )
    SELECT page.id::text, rank, passages.job_id AS "jobId", passages.start_seconds AS "startSeconds",
      passages.end_seconds AS "endSeconds", text, endpoint, run_id AS "runId", media_url AS "mediaUrl", media_key AS "mediaKey",
      media_name AS "mediaName", ts_headline('english', text, ${query}, ${headline}) AS excerpt
    FROM page JOIN passages ON passages.id = page.id JOIN jobs ON jobs.id = passages.job_id
    WHERE ${Prisma.join([Prisma.sql`account_id = ${accountId}`, Prisma.sql`deleted_at IS NULL`, ...coveredBy(scope)], ' AND ')}
    ORDER BY rank DESC, page.id DESC`
}
