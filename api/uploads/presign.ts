import type { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { cleanFileName } from '../../src/core/file-names.ts'
import { newId } from '../../src/core/ids.ts'
import { takeFromQuota } from '../../src/store/quotas.ts'
import { createUpload } from '../../src/store/uploads.ts'
import type { ApiContext } from '../http/context.ts'
import { mediaTypeOf } from './media-type.ts'
import type { uploadRequest, uploadSchema } from './schema.ts'

type PresignContext = Pick<ApiContext, 'config' | 'db' | 'storage' | 'pressure'>

export const uploadUrlSeconds = 900

/** A signed URL for the upload of one file. */
export async function presignUpload(
  context: PresignContext,
  accountId: string,
  { filename, bytes = 0, content_type: claimed }: z.output<typeof uploadRequest>,
): Promise<z.output<typeof uploadSchema>> {
  const { config, db, storage } = context
  const { format, contentType } = mediaTypeOf(filename, claimed)
  const largest = config.MAX_UPLOAD_BYTES
  if (bytes > largest)
    throw new ServiceError('payload_too_large', `An upload can have at most ${largest} bytes. Send a smaller file.`)
  const maxBytes = bytes || largest
  await context.pressure.assertAcceptsBytes(bytes)
  await countBytes(context, accountId, maxBytes)

  const id = newId('upl')
  const key = `uploads/${id}/media.${format}`
  const { url, headers } = await storage.presignPut({
    key,
    contentType,
    maxBytes,
    expiresInSeconds: uploadUrlSeconds,
  })
  const expiresAt = new Date(Date.now() + config.RETENTION_DAYS * 86_400_000)
  await createUpload(db, { id, accountId, objectKey: key, fileName: cleanFileName(filename), contentType, expiresAt })
  return {
    id,
    upload_url: url,
    upload_method: 'PUT',
    upload_headers: { ...headers },
    media_url: `${config.BASE_URL}/v1/media/${id}`,
    content_type: contentType,
    expires_in_seconds: uploadUrlSeconds,
  }
}

/** Counts the bytes of a presigned URL against the day's quota, whether or not they arrive. */
async function countBytes({ config, db }: PresignContext, accountId: string, bytes: number): Promise<void> {
  const limit = config.PRESIGNED_BYTES_PER_ACCOUNT
  const quota = { subject: `presigned ${accountId}`, limit, windowSeconds: 86_400 }
  const { fits, left, resetSeconds } = await takeFromQuota(db, quota, bytes)
  if (fits) return
  throw new ServiceError(
    'rate_limited',
    `This account can upload ${limit} bytes a day and has ${left} left; this upload counts as ${bytes}. Send the size of the file as bytes, or wait for the number of seconds in Retry-After.`,
    { retryAfterSeconds: resetSeconds },
  )
}
