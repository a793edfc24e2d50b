import { ServiceError } from '../../src/core/errors.ts'
import { storageLimitsOf } from '../../src/store/stored-bytes.ts'
import {
  type ClaimRefusal,
  claimRenewalSeconds,
  claimSeconds,
  claimUpload,
  maxUploadsInFlight,
  releaseUploadClaim,
  renewUploadClaim,
} from '../../src/store/upload-claims.ts'
import type { ApiContext } from '../http/context.ts'

/** Lets one PUT at a time send the bytes of an upload, and limits the bytes that an account sends simultaneously. */
export interface UploadClaims {
  /** Throws `conflict` if another PUT sends this file, `rate_limited` if the account sends too much, `payload_too_large` if it stores too much, and `account_suspended`. */
  claim(key: string, bytes: number): Promise<HeldClaim>
}

export interface HeldClaim {
  /** Call it whenever bytes arrive. Throws `conflict` if another PUT took over because this one sent nothing, and `account_suspended`. */
  arrived(): Promise<void>
  /** Ends the claim, with the bytes that are stored if the PUT succeeded. */
  release(bytes?: number): Promise<void>
}

export function createUploadClaims({
  config,
  db,
  logger,
  pressure,
}: Pick<ApiContext, 'config' | 'db' | 'logger' | 'pressure'>): UploadClaims {
  return {
    claim: async (key, bytes) => {
      await pressure.assertAcceptsBytes(bytes)
      const maxBytesInFlight = maxUploadsInFlight * config.MAX_UPLOAD_BYTES
      const claim = await claimUpload(db, { key, bytes, maxBytesInFlight, storageLimits: storageLimitsOf(config) })
      if (claim.status !== 'claimed') throw refusal(claim.status, maxBytesInFlight)
      let renewedAt = performance.now()
      return {
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
        release: (stored) =>
          releaseUploadClaim(db, key, claim.id, stored).catch((error: unknown) => {
            logger.warn({ err: error }, 'claim of an upload not released; it expires')
          }),
      }
    },
  }
}

function refusal(status: ClaimRefusal, maxBytesInFlight: number): ServiceError {
  if (status === 'unknown') return new ServiceError('not_found')
  if (status === 'suspended') return new ServiceError('account_suspended')
  if (status === 'taken') return anotherPut()
  return new ServiceError(
    'rate_limited',
    `This account is uploading as many bytes as it may simultaneously, ${maxBytesInFlight}. Wait until some uploads have ended.`,
    { retryAfterSeconds: claimSeconds },
  )
}

function anotherPut(): ServiceError {
  return new ServiceError('conflict', 'Another PUT sends this upload. Wait until it ends, or for Retry-After.', {
    retryAfterSeconds: claimSeconds,
  })
}
