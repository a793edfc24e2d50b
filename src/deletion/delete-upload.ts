import { type Database, lockAccount } from '../store/database.ts'
import { assertNotRead, markUploadsDeleted } from '../store/deletions.ts'
import { Prisma } from '../store/generated/client.ts'

/** Marks an upload as deleted, which ends a PUT of its bytes. False if the account has no such upload. Throws `conflict` while an open job or run reads it. */
export async function deleteUpload(db: Database, accountId: string, uploadId: string): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const upload = await tx.upload.findFirst({
      where: { id: uploadId, accountId, deletedAt: null },
      select: { objectKey: true },
    })
    if (!upload) return false
    await assertNotRead(tx, [upload.objectKey], uploadId)
    await markUploadsDeleted(tx, Prisma.sql`id = ${uploadId}`)
    return true
  })
}
