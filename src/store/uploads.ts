import type { Database } from './database.ts'
import type { UploadModel } from './generated/models.ts'

export type Upload = UploadModel

export type NewUpload = Pick<Upload, 'id' | 'accountId' | 'objectKey' | 'fileName' | 'contentType' | 'expiresAt'>

export async function createUpload(db: Database, upload: NewUpload): Promise<Upload> {
  return db.upload.create({ data: upload })
}

export async function findUpload(db: Database, accountId: string, uploadId: string): Promise<Upload | null> {
  return db.upload.findFirst({ where: { id: uploadId, accountId } })
}
