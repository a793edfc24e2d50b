import { ServiceError } from '../core/errors.ts'
import { contentTypes, maxPictureBytes } from '../core/media.ts'
import { describeExcess } from '../core/text.ts'
import type { Storage } from '../storage/storage.ts'
import type { Database } from '../store/database.ts'
import { findUpload } from '../store/uploads.ts'

interface Deps {
  readonly db: Database
  readonly storage: Pick<Storage, 'stat'>
}

/** Checks the uploads that a job reads as pictures: those of this account, whose bytes have arrived and are not too many. */
export async function checkPictures(deps: Deps, accountId: string, uploadIds: readonly string[]): Promise<void> {
  await Promise.all(uploadIds.map((id, index) => checkPicture(deps, accountId, id, `settings.upload_ids[${index}]`)))
}

async function checkPicture({ db, storage }: Deps, accountId: string, id: string, field: string): Promise<void> {
  const upload = await findUpload(db, accountId, id)
  if (!upload) throw new ServiceError('not_found', `${field}: this account has no upload ${id}.`)
  if (Object.values<string>(contentTypes).includes(upload.contentType))
    throw new ServiceError(
      'invalid_request',
      `${field}: ${id} was uploaded as ${upload.contentType}, not as a picture. Send its media_url as media_url instead.`,
    )
  const object = await storage.stat(upload.objectKey)
  if (!object)
    throw new ServiceError(
      'conflict',
      `${field}: ${id} has no bytes yet. PUT the file to its upload_url first, then create the job.`,
    )
  if (object.bytes > maxPictureBytes)
    throw new ServiceError(
      'invalid_request',
      `${field}: ${describeExcess('The picture', object.bytes, maxPictureBytes)} Send a smaller one.`,
    )
}
