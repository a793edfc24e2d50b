import type { z } from 'zod'
import { takeFromQuota } from '../../src/accounts/quotas.ts'
import type { Config } from '../../src/config.ts'
import { invalidRequest, ServiceError } from '../../src/core/errors.ts'
import { cleanFileName } from '../../src/core/file-names.ts'
import { newId } from '../../src/core/ids.ts'
import { describeExcess } from '../../src/core/text.ts'
import { dayMs, daySeconds } from '../../src/core/time-code.ts'
import { type Metadata, metadataOf } from '../../src/jobs/job-rows.ts'
import type { Storage } from '../../src/storage/storage.ts'
import {
  assertFitsStorage,
  countedBytes,
  findStoringAccount,
  sessionSeconds,
  storageLimitsOf,
} from '../../src/uploads/storage-limits.ts'
import { signUploadLink } from '../../src/uploads/upload-links.ts'
import {
  type ClaimRefusal,
  type ClaimUploadInput,
  claimRenewalSeconds,
  claimSeconds,
  claimUpload,
  createUpload,
  maxUploadsInFlight,
  releaseUploadClaim,
  renewUploadClaim,
  type Upload,
} from '../../src/uploads/uploads.ts'
import { startDueWork } from '../../src/webhooks/deliveries.ts'
import type { ApiContext } from '../http/context.ts'
import { mediaTypeOf } from './media-type.ts'
import type { registeredUpload, uploadRequest, uploadSchema } from './routes.ts'

type RegisterContext = Pick<ApiContext, 'config' | 'createsByAccount' | 'db' | 'pressure' | 'storage'>

interface UploadFile {
  readonly fileName: string
  readonly contentType: string | undefined
  /** 0 if unknown. */
  readonly bytes: number
  /** Whether its bytes come in several PUTs. They count as stored from the beginning. */
  readonly isResumable?: boolean
  readonly metadata?: Metadata | undefined
}

/** An upload whose bytes have not arrived. */
interface RegisteredUpload {
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
  { config, createsByAccount, db, pressure, storage }: RegisterContext,
  accountId: string,
  { fileName, contentType: claimed, bytes, isResumable = false, metadata }: UploadFile,
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
  const days = isResumable ? daysOfSession(config, storage) : config.RETENTION_DAYS
  const row = {
    ...{ id, accountId, objectKey: key, fileName: cleanFileName(fileName), contentType },
    expiresAt: new Date(Date.now() + days * dayMs),
    claimBytes: isResumable ? BigInt(maxBytes) : null,
    ...(metadata ? { metadata } : {}),
  }
  const presented = presentUpload(config, await createsByAccount(accountId, () => createUpload(db, row)))
  return { id, key, contentType, maxBytes, presented }
}

/** An upload as callers see it. */
export function presentUpload(
  { BASE_URL }: Pick<RegisterContext['config'], 'BASE_URL'>,
  { id, fileName, contentType, metadata, expiresAt }: Upload,
): z.output<typeof registeredUpload> {
  return {
    id,
    name: fileName,
    media_url: `${BASE_URL}/v1/media/${id}`,
    content_type: contentType,
    metadata: metadataOf({ metadata }),
    kept_until: expiresAt.toISOString(),
  }
}

/**
 * How long the row of a resumable upload stays. On our disk, its parts are deleted with it if the rest never comes. Elsewhere, the
 * session may complete the object until its end: something has to know of it for a day longer.
 */
function daysOfSession({ RETENTION_DAYS }: Pick<Config, 'RETENTION_DAYS'>, storage: Pick<Storage, 'parts'>): number {
  const session = sessionSeconds / daySeconds
  return storage.parts ? Math.min(RETENTION_DAYS, session) : Math.max(RETENTION_DAYS, session + 1)
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

/** Lets one PUT at a time send the bytes of an upload, and limits the bytes that an account sends simultaneously. */
export interface UploadClaims {
  /** Throws `conflict` if another PUT sends this file, `rate_limited` if the account sends too much, `storage_limit_reached` if it stores too much, `not_found` for a session that another one replaced, and `account_suspended`. */
  claim(key: string, bytes: number, options?: Pick<ClaimUploadInput, 'session'>): Promise<HeldClaim>
}

export interface HeldClaim {
  /** The session that its upload takes. */
  readonly session: number
  /** Call it whenever bytes arrive. Throws `conflict` if another PUT took over because this one sent nothing, and `account_suspended`. */
  arrived(): Promise<void>
  /** Ends the claim, with the bytes that are stored if the PUT succeeded. */
  release(bytes?: number): Promise<void>
}

export function createUploadClaims({
  config,
  db,
  jobs,
  logger,
  pressure,
}: Pick<ApiContext, 'config' | 'db' | 'jobs' | 'logger' | 'pressure'>): UploadClaims {
  return {
    claim: async (key, bytes, { session } = {}) => {
      await pressure.assertAcceptsBytes(bytes)
      const maxBytesInFlight = maxUploadsInFlight * config.MAX_UPLOAD_BYTES
      const limits = { maxBytesInFlight, storageLimits: storageLimitsOf(config) }
      const claim = await claimUpload(db, { key, bytes, session, ...limits })
      if (claim.status !== 'claimed') throw refusal(claim.status, maxBytesInFlight)
      let renewedAt = performance.now()
      return {
        session: claim.session,
        arrived: async () => {
          if (performance.now() - renewedAt < claimRenewalSeconds * 1000) return
          renewedAt = performance.now()
          const renewed = await renewUploadClaim(db, key, claim.id).catch((error: unknown) => {
            // An outage of the database does not end the upload: the storage accepts only one in the end.
            logger.warn({ err: error }, 'claim of an upload not renewed')
            return 'renewed' as const
          })
          if (renewed !== 'renewed') throw refusal(renewed, maxBytesInFlight)
          // Other uploads may have filled the disk since.
          await pressure.assertAcceptsBytes(0)
        },
        release: async (bytes) => {
          const stored = bytes === undefined ? undefined : { bytes, keptDays: config.RETENTION_DAYS }
          try {
            const due = await releaseUploadClaim(db, key, claim.id, stored, session !== undefined)
            if (due) await startDueWork({ jobs, logger }, due)
          } catch (error) {
            logger.warn({ err: error }, 'claim of an upload not released; it expires')
          }
        },
      }
    },
  }
}

function refusal(status: ClaimRefusal, maxBytesInFlight: number): ServiceError {
  if (status === 'unknown') return new ServiceError('not_found')
  if (status === 'suspended') return new ServiceError('account_suspended')
  if (status === 'taken')
    return new ServiceError('conflict', 'Another PUT sends this upload. Wait until it ends, or for Retry-After.', {
      retryAfterSeconds: claimSeconds,
    })
  return new ServiceError(
    'rate_limited',
    `This account is uploading as many bytes as it may simultaneously, ${maxBytesInFlight}. Wait until some uploads have ended.`,
    { retryAfterSeconds: claimSeconds },
  )
}

export const uploadUrlSeconds = 900

/** How long the page of an upload begins to take its file: a person has to read of it first. */
const uploadPageSeconds = 3600

/** A signed URL for the upload of one file. `origin` is that of the page that asks. */
export async function presignUpload(
  context: RegisterContext,
  accountId: string,
  {
    filename: fileName,
    bytes = 0,
    content_type: claimed,
    resumable: isResumable = false,
    metadata,
  }: z.output<typeof uploadRequest>,
  origin?: string,
): Promise<z.output<typeof uploadSchema>> {
  if (isResumable && bytes === 0)
    throw invalidRequest('bytes: expected the size of the file, which a resumable upload needs.')
  const file = { fileName, bytes, contentType: claimed, isResumable, metadata }
  const { key, contentType, maxBytes, presented } = await registerUpload(context, accountId, file)
  const link = { uploadId: presented.id, maxBytes, expiresAt: new Date(Date.now() + uploadPageSeconds * 1000) }
  const expiresInSeconds = isResumable ? sessionSeconds : uploadUrlSeconds
  const input = { key, contentType, maxBytes, expiresInSeconds }
  const { url, headers } = isResumable
    ? { ...(await context.storage.presignSession({ ...input, origin })), headers: { 'content-type': contentType } }
    : await context.storage.presignPut(input)
  return {
    ...presented,
    upload_url: url,
    upload_method: 'PUT',
    upload_headers: { ...headers },
    upload_page_url: `${context.config.BASE_URL}/u/${signUploadLink(context.config, link)}`,
    expires_in_seconds: expiresInSeconds,
    ...(isResumable && { resumable: true }),
  }
}
