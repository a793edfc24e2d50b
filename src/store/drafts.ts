import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { isPostgresText, notPostgresText } from '../core/text.ts'
import type { Database, Transaction } from './database.ts'

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
export type NewDraft = z.input<typeof draftSchema> & { readonly result: Readonly<Record<string, unknown>> }

const unreadable = { retryable: false, cause: new Error(notPostgresText) }

/** Records the first draft of a running job. Returns false for a later one, and keeps the first. */
export async function recordDraft(db: Database, jobId: string, { result, ...draft }: NewDraft): Promise<boolean> {
  // Written as text, because Prisma would walk the thousands of numbers of a result now and when it is published.
  const document = JSON.stringify({ result, ...draftSchema.parse(draft) })
  // The database would accept such a document and fail to read it.
  if (!isPostgresText(document)) throw new ServiceError('server_error', undefined, unreadable)
  const count = await db.$executeRaw`
    UPDATE jobs SET draft = ${document}::json WHERE id = ${jobId} AND ended_at IS NULL AND draft IS NULL`
  return count === 1
}

/** Undefined if the job has no draft. */
export async function findDraft(db: Database | Transaction, jobId: string): Promise<Draft | undefined> {
  const [row] = await db.$queryRaw<{ draft: unknown }[]>`
    SELECT json_build_object('files', draft -> 'files', 'billedMilliseconds', draft -> 'billedMilliseconds', 'warnings', draft -> 'warnings') AS draft
    FROM jobs WHERE id = ${jobId} AND draft IS NOT NULL`
  return row && draftSchema.parse(row.draft)
}

/** Copies the draft's result to the job's result. */
export async function publishDraft(tx: Transaction, jobId: string): Promise<void> {
  await tx.$executeRaw`UPDATE jobs SET result = draft -> 'result', draft = NULL WHERE id = ${jobId}`
}
