import { ServiceError } from '../core/errors.ts'
import { contentTypes, maxPictureBytes } from '../core/media.ts'
import { describeExcess } from '../core/text.ts'
import { receivedUpload, type UploadDependencies } from './received-upload.ts'

/** Checks the uploads that a job reads as pictures: those of this account, whose bytes have arrived and are not too many. */
export async function checkPictures(
  deps: UploadDependencies,
  accountId: string,
  uploadIds: readonly string[],
): Promise<void> {
  await Promise.all(uploadIds.map((id, index) => checkPicture(deps, accountId, id, `settings.upload_ids[${index}]`)))
}

async function checkPicture(
  deps: UploadDependencies,
  accountId: string,
  uploadId: string,
  field: string,
): Promise<void> {
  const { upload, object } = await receivedUpload(deps, { accountId, uploadId, field })
  if (Object.values<string>(contentTypes).includes(upload.contentType))
    throw new ServiceError(
      'invalid_request',
      `${field}: ${uploadId} was uploaded as ${upload.contentType}, not as a picture. Send its media_url as media_url instead.`,
    )
  if (object.bytes > maxPictureBytes)
    throw new ServiceError(
      'invalid_request',
      `${field}: ${describeExcess('The picture', object.bytes, maxPictureBytes)} Send a smaller one.`,
    )
}
