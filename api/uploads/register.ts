import type { z } from 'zod'
import { dayMs, daySeconds } from '../../src/core/durations.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { cleanFileName } from '../../src/core/file-names.ts'
import { newId } from '../../src/core/ids.ts'
import { describeExcess } from '../../src/core/text.ts'
import { takeFromQuota } from '../../src/store/quotas.ts'
import { assertFitsStorage, countedBytes, findStoringAccount, storageLimitsOf } from '../../src/store/stored-bytes.ts'
import { createUpload, type Upload } from '../../src/store/uploads.ts'
import type { ApiContext } from '../http/context.ts'
import { mediaTypeOf } from './media-type.ts'
import type { registeredUpload } from './schema.ts'

type RegisterContext = Pick<ApiContext, 'config' | 'db' | 'pressure'>

export interface UploadFile {
  readonly fileName: string
  readonly contentType: string | undefined
  /** 0 if unknown. */
  readonly bytes: number
}

/** An upload whose bytes have not arrived. */
export interface RegisteredUpload {
  readonly id: string
  /** Of its object. */
  readonly key: string
  readonly contentType: string
  readonly maxBytes: number
  /** What callers are told of it. */
  readonly presented: z.output<typeof registeredUpload>
}

/** Creates the row of an upload, and counts its bytes against the quotas, whether or not they arrive. */
export async function registerUpload(
  { config, db, pressure }: RegisterContext,
  accountId: string,
  { fileName, contentType: claimed, bytes }: UploadFile,
  largest = config.MAX_UPLOAD_BYTES,
): Promise<RegisteredUpload> {
  const { format, contentType } = mediaTypeOf(fileName, claimed)
  if (bytes > largest)
    throw new ServiceError('payload_too_large', `${describeExcess('The file', bytes, largest)} Send a smaller file.`)
  const maxBytes = bytes || largest
  await pressure.assertAcceptsBytes(bytes)
  // What its other uploads send meanwhile is counted when a PUT begins.
  const counted = countedBytes(maxBytes)
  await assertFitsStorage(db, await findStoringAccount(db, accountId), counted, storageLimitsOf(config))
  await countBytes({ config, db }, accountId, counted)
  const id = newId('upl')
  const key = `uploads/${id}/media${format ? `.${format}` : ''}`
  const expiresAt = new Date(Date.now() + config.RETENTION_DAYS * dayMs)
  const row = { id, accountId, objectKey: key, fileName: cleanFileName(fileName), contentType, expiresAt }
  const presented = presentUpload(config, await createUpload(db, row))
  return { id, key, contentType, maxBytes, presented }
}

/** An upload as callers see it. */
export function presentUpload(
  { BASE_URL }: Pick<RegisterContext['config'], 'BASE_URL'>,
  { id, fileName, contentType, expiresAt }: Upload,
): z.output<typeof registeredUpload> {
  return {
    id,
    name: fileName,
    media_url: `${BASE_URL}/v1/media/${id}`,
    content_type: contentType,
    kept_until: expiresAt.toISOString(),
  }
}

async function countBytes(
  { config, db }: Pick<RegisterContext, 'config' | 'db'>,
  accountId: string,
  bytes: number,
): Promise<void> {
  const limit = config.PRESIGNED_BYTES_PER_ACCOUNT
  const quota = { subject: `presigned ${accountId}`, limit, windowSeconds: daySeconds }
  const { fits, left, resetSeconds } = await takeFromQuota(db, quota, bytes)
  if (fits) return
  throw new ServiceError(
    'rate_limited',
    `This account can upload ${limit} bytes a day and has ${left} left; this upload counts as ${bytes}. Send the size of the file as bytes, or wait for the number of seconds in Retry-After.`,
    { retryAfterSeconds: resetSeconds },
  )
}
