import { randomText } from '../core/ids.ts'
import { type Database, lockAccount } from './database.ts'
import { assertFitsStorage, countedBytes, recordStoredBytes, type StorageLimits } from './stored-bytes.ts'

/** A PUT ends when no byte of it arrives for this long: longer than a pause of a working connection. */
export const uploadIdleSeconds = 30
/** A claim is renewed when bytes arrive, at most this often. */
export const claimRenewalSeconds = 5
/** For the renewal itself. */
const slackSeconds = 5
/** How long a claim lasts without a renewal: longer than its PUT. After that, the client can send the file again. */
export const claimSeconds = uploadIdleSeconds + claimRenewalSeconds + slackSeconds
/** Bytes that the PUTs of one account may send simultaneously: this many uploads of the maximum size. */
export const maxUploadsInFlight = 4

export interface ClaimUploadInput {
  readonly key: string
  /** The maximum size of the body. */
  readonly bytes: number
  /** For all PUTs of the account together. */
  readonly maxBytesInFlight: number
  readonly storageLimits: StorageLimits
}

export type UploadClaim = { readonly status: 'claimed'; readonly id: string } | { readonly status: ClaimRefusal }

/** `taken`: another PUT sends this file. `too_many`: the account sends too many bytes. `unknown`: there is no such upload. `suspended`: the account is. */
export type ClaimRefusal = 'taken' | 'too_many' | 'unknown' | 'suspended'

/** Claims an upload for one PUT, by the database's clock, so that simultaneous PUTs over any number of processes have one winner. Throws `payload_too_large`. */
export async function claimUpload(db: Database, input: ClaimUploadInput): Promise<UploadClaim> {
  const { key, bytes, maxBytesInFlight, storageLimits } = input
  return db.$transaction(async (tx) => {
    const upload = await tx.upload.findUnique({ where: { objectKey: key, deletedAt: null } })
    if (!upload) return { status: 'unknown' }
    const account = await lockAccount(tx, upload.accountId)
    // Its uploads are marked as deleted later.
    if (account.isAccountDeleted) return { status: 'unknown' }
    if (account.suspendedAt) return { status: 'suspended' }
    const active = await tx.$queryRaw<{ key: string; bytes: bigint }[]>`
      SELECT object_key AS key, claim_bytes AS bytes FROM uploads
      WHERE account_id = ${upload.accountId} AND claim_ends_at > now()`
    if (active.some((other) => other.key === key)) return { status: 'taken' }
    const inFlight = active.reduce((sum, other) => sum + Number(other.bytes), 0)
    if (inFlight + bytes > maxBytesInFlight) return { status: 'too_many' }
    // Their rows count already.
    const more = [bytes, ...active.map((other) => Number(other.bytes))].reduce(
      (sum, each) => sum + countedBytes(each) - countedBytes(0),
      0,
    )
    await assertFitsStorage(tx, { ...account, id: upload.accountId }, more, storageLimits)
    const id = randomText(16)
    // The upload may have been deleted while this waited for the account.
    const count = await tx.$executeRaw`
      UPDATE uploads SET claim_id = ${id}, claim_bytes = ${bytes},
        claim_ends_at = clock_timestamp() + make_interval(secs => ${claimSeconds})
      WHERE object_key = ${key} AND deleted_at IS NULL`
    return count === 1 ? { status: 'claimed', id } : { status: 'unknown' }
  })
}

/** `taken`: another PUT has claimed the upload since, or it or its account was deleted. `suspended`: the account is. */
export async function renewUploadClaim(
  db: Database,
  key: string,
  claimId: string,
): Promise<'renewed' | 'taken' | 'suspended'> {
  const [renewed] = await db.$queryRaw<{ isSuspended: boolean }[]>`
    UPDATE uploads SET claim_ends_at = now() + make_interval(secs => ${claimSeconds})
    FROM accounts
    WHERE object_key = ${key} AND claim_id = ${claimId} AND uploads.deleted_at IS NULL
      AND accounts.id = account_id AND accounts.deleted_at IS NULL
    RETURNING suspended_at IS NOT NULL AS "isSuspended"`
  if (!renewed) return 'taken'
  return renewed.isSuspended ? 'suspended' : 'renewed'
}

/**
 * Ends the claim. `bytes` is what is stored, if the PUT succeeded; it counts also if the claim was over before, because the storage
 * accepts one PUT in the end.
 */
export async function releaseUploadClaim(db: Database, key: string, claimId: string, bytes?: number): Promise<void> {
  // The bytes count before the claim counts no longer.
  if (bytes !== undefined) await recordStoredBytes(db, { objectKey: key }, bytes)
  await db.upload.updateMany({
    where: { objectKey: key, claimId },
    data: { claimId: null, claimBytes: null, claimEndsAt: null },
  })
}
