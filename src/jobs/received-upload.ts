import { ServiceError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import type { Storage } from '../storage/storage.ts'
import type { Database } from '../store/database.ts'
import { recordStoredBytes } from '../store/stored-bytes.ts'
import { findUpload } from '../store/uploads.ts'

export interface UploadDependencies {
  readonly db: Database
  readonly storage: Pick<Storage, 'stat'>
}

interface NamedUpload {
  readonly accountId: string
  readonly uploadId: string
  /** The field of the request that names it. */
  readonly field: string
}

/** An upload of the account, with its object. Throws `not_found` for others, and `conflict` while its bytes have not arrived. */
export async function receivedUpload({ db, storage }: UploadDependencies, { accountId, uploadId, field }: NamedUpload) {
  const upload = isId('upl', uploadId) ? await findUpload(db, accountId, uploadId) : null
  if (!upload)
    throw new ServiceError(
      'not_found',
      `${field}: this account has no such upload, or it was deleted. Use what the upload returned, or upload the file again.`,
    )
  const object = await storage.stat(upload.objectKey)
  if (object && upload.bytes === null) await recordStoredBytes(db, { id: upload.id }, object.bytes)
  if (object) return { upload, object }
  throw new ServiceError(
    'conflict',
    `${field}: ${upload.id} has no bytes yet. PUT the file to its upload_url first, then create the job.`,
  )
}
