import path from 'node:path'
import { z } from 'zod'
import { newId } from '../core/ids.ts'
import type { Passage } from '../core/passages.ts'
import type { Database } from './database.ts'
import { Prisma } from './generated/client.ts'
import { draftWithoutResult } from './jobs.ts'
import { type Attempt, closing } from './open-attempts.ts'
import { passagesSql } from './passages.ts'
import { insertRows, jsonText } from './rows.ts'

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

/** Undefined if the job has no draft. */
export async function findDraft(db: Database, jobId: string): Promise<Draft | undefined> {
  const [row] = await db.$queryRaw<{ draft: unknown }[]>`
    SELECT ${draftWithoutResult} FROM jobs WHERE id = ${jobId} AND draft IS NOT NULL`
  return row && draftSchema.parse(row.draft)
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
