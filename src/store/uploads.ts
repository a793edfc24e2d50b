import { type Database, lockAccount } from './database.ts'
import { Prisma } from './generated/client.ts'
import type { UploadModel } from './generated/models.ts'
import { type AskedFilter, type ListInput, listConditions, newestFirst, selectPage } from './list-conditions.ts'
import { isRead } from './readers.ts'
import { assertMayCreate } from './suspension.ts'

export type Upload = UploadModel

export type NewUpload = Pick<Upload, 'id' | 'accountId' | 'objectKey' | 'fileName' | 'contentType' | 'expiresAt'>

/** Throws `account_suspended`, or `invalid_api_key` if the account was deleted. */
export async function createUpload(db: Database, upload: NewUpload): Promise<Upload> {
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, upload.accountId))
    return tx.upload.create({ data: upload })
  })
}

export async function findUpload(db: Database, accountId: string, uploadId: string): Promise<Upload | null> {
  return db.upload.findFirst({ where: { id: uploadId, accountId, deletedAt: null } })
}

export interface UploadFilter extends Pick<AskedFilter, 'createdAfter' | 'createdBefore'> {
  readonly fileName?: string | undefined
}

/** A page of an account's uploads, newest first. */
export async function listUploads(db: Database, accountId: string, input: ListInput<UploadFilter>): Promise<Upload[]> {
  const page = await db.$queryRaw<{ id: string }[]>(selectUploads(accountId, input))
  return db.upload.findMany({ where: { id: { in: page.map(({ id }) => id) } }, orderBy: newestFirst })
}

export function selectUploads(accountId: string, input: ListInput<UploadFilter>): Prisma.Sql {
  const { fileName } = input.filter
  const named = fileName === undefined ? [] : [Prisma.sql`file_name = ${fileName}`]
  return selectPage(Prisma.sql`uploads`, [...listConditions(accountId, input), ...named], input.limit)
}

/** Expired uploads that no open job or run reads. */
export async function findExpiredUploads(db: Database, now: Date, limit: number, except: readonly string[] = []) {
  return db.$queryRaw<{ id: string; objectKey: string }[]>`
    SELECT id, object_key AS "objectKey" FROM uploads
    WHERE expires_at < ${now} AND id <> ALL(${[...except]}::text[])
      AND NOT ${isRead({ objectKey: Prisma.sql`uploads.object_key`, uploadId: Prisma.sql`uploads.id` })}
    ORDER BY expires_at LIMIT ${limit}`
}

export async function forgetUpload(db: Database, id: string): Promise<void> {
  await db.upload.deleteMany({ where: { id } })
}

/** Of an upload that was deleted, the row stays until upkeep has deleted its object. */
export async function forgetRefusedUpload(db: Database, id: string): Promise<void> {
  await db.upload.deleteMany({ where: { id, deletedAt: null } })
}
