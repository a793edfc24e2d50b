import { assertMayCreate } from '../accounts/suspension.ts'
import type { RowPage } from '../core/concurrency.ts'
import { ServiceError } from '../core/errors.ts'
import { randomText } from '../core/ids.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { UploadModel } from '../db/generated/models.ts'
import { assertNotRead, isRead, markUploadsDeleted } from '../jobs/delete.ts'
import type { Metadata } from '../jobs/job-rows.ts'
import { type AskedFilter, type ListInput, listConditions, newestFirst, selectPage } from '../jobs/list-conditions.ts'
import type { DueWork } from '../webhooks/deliveries.ts'
import {
  assertFitsStorage,
  countedBytes,
  partClaim,
  recordStoredBytes,
  type StorageLimits,
  type StoredUpload,
  sessionSeconds,
} from './storage-limits.ts'

export type Upload = UploadModel

type NewUpload = Pick<Upload, 'id' | 'accountId' | 'objectKey' | 'fileName' | 'contentType' | 'expiresAt'> &
  Partial<Pick<Upload, 'claimBytes'>> & { readonly metadata?: Metadata }

/** Throws `account_suspended`, or `invalid_api_key` if the account was deleted. */
export async function createUpload(db: Database, upload: NewUpload): Promise<Upload> {
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, upload.accountId))
    return tx.upload.create({ data: upload })
  })
}

export async function findUpload(db: Database, accountId: string, uploadId: string): Promise<Upload | null> {
  return db.upload.findFirst({ where: { id: uploadId, accountId, deletedAt: null } })
}

/**
 * The upload of a link, whatever its account. Null when its bytes have arrived, when it has expired, when it or its account was
 * deleted, and while the account is suspended.
 */
export async function findOpenUpload(db: Database, uploadId: string): Promise<Upload | null> {
  const where = { id: uploadId, bytes: null, deletedAt: null, expiresAt: { gt: new Date() } }
  return db.upload.findFirst({ where: { ...where, account: { deletedAt: null, suspendedAt: null } } })
}

/** Keeps the row at least until then. */
export async function keepUploadUntil(db: Database, uploadId: string, end: Date): Promise<void> {
  await db.upload.updateMany({ where: { id: uploadId, expiresAt: { lt: end } }, data: { expiresAt: end } })
}

/** While a brand has an upload, it does not expire. */
const longKeptYears = 100

/** Keeps received uploads of the account until they are released. Returns false if one of them is gone. The caller holds the account's row lock. */
export async function keepUploads(tx: Transaction, accountId: string, ids: readonly string[]): Promise<boolean> {
  const wanted = [...new Set(ids)]
  const kept = await tx.$executeRaw`
    UPDATE uploads SET expires_at = created_at + make_interval(years => ${longKeptYears}::int)
    WHERE id = ANY(${wanted}::text[]) AND account_id = ${accountId}
      AND deleted_at IS NULL AND bytes IS NOT NULL AND expires_at > now()`
  return kept === wanted.length
}

/** They expire as other uploads do, and not within a day. */
export async function releaseUploads(tx: Transaction, ids: readonly string[], keptDays: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE uploads
    SET expires_at = greatest(created_at + make_interval(days => ${keptDays}::int), now() + interval '1 day')
    WHERE id = ANY(${[...ids]}::text[]) AND deleted_at IS NULL`
}

/** Keeps what a session sends no longer than it counts in the storage of the account. */
export async function endWithSession(db: Database, uploadId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE uploads SET expires_at = least(expires_at, created_at + make_interval(secs => ${sessionSeconds}))
    WHERE id = ${uploadId}`
}

/** The upload of an object that jobs read as media. Null if it was deleted, or if the object is another one, such as an output. */
export async function findUploadOf(db: Database, accountId: string, objectKey: string): Promise<Upload | null> {
  return db.upload.findFirst({ where: { objectKey, accountId, deletedAt: null } })
}

interface UploadFilter extends Pick<AskedFilter, 'createdAfter' | 'createdBefore'> {
  readonly fileName?: string | undefined
}

/** A page of an account's uploads, newest first. */
export async function listUploads(db: Database, accountId: string, input: ListInput<UploadFilter>): Promise<Upload[]> {
  const page = await db.$queryRaw<{ id: string }[]>(selectUploads(accountId, input))
  return db.upload.findMany({ where: { id: { in: page.map(({ id }) => id) } }, orderBy: newestFirst })
}

export function selectUploads(accountId: string, input: ListInput<UploadFilter>): Prisma.Sql {
  const { fileName } = input.filter
  const named = fileName === undefined ? [] : [Prisma.sql`file_name = ${fileName}`]
  return selectPage(Prisma.sql`uploads`, [...listConditions(accountId, input), ...named], input.limit)
}

/** Expired uploads that no open job or run reads, and no PUT sends. */
export async function findExpiredUploads(db: Database, now: Date, { limit, except = [] }: RowPage) {
  return db.$queryRaw<{ id: string; objectKey: string }[]>`
    SELECT id, object_key AS "objectKey" FROM uploads
    WHERE expires_at < ${now} AND id <> ALL(${[...except]}::text[]) AND (claim_ends_at IS NULL OR claim_ends_at < ${now})
      AND NOT ${isRead({ objectKey: Prisma.sql`uploads.object_key`, uploadId: Prisma.sql`uploads.id` })}
    ORDER BY expires_at LIMIT ${limit}`
}

export async function forgetUpload(db: Database, id: string): Promise<void> {
  await db.upload.deleteMany({ where: { id } })
}

/** Of an upload that was deleted, the row stays until upkeep has deleted its object. */
export async function forgetRefusedUpload(db: Database, id: string): Promise<void> {
  await db.upload.deleteMany({ where: { id, deletedAt: null } })
}

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
  /** Of a PUT of a resumable upload. `next`, and a PUT of the whole file, end the sessions before. */
  readonly session?: number | 'next' | undefined
  /** For all PUTs of the account together. */
  readonly maxBytesInFlight: number
  readonly storageLimits: StorageLimits
}

type UploadClaim =
  | { readonly status: 'claimed'; readonly id: string; readonly session: number }
  | { readonly status: ClaimRefusal }

/** `taken`: another PUT sends this file. `too_many`: the account sends too many bytes. `unknown`: there is no such upload. `suspended`: the account is. */
export type ClaimRefusal = 'taken' | 'too_many' | 'unknown' | 'suspended'

/** Claims an upload for one PUT, by the database's clock, so that simultaneous PUTs over any number of processes have one winner. Throws `storage_limit_reached`, and `not_found` for a session that has ended. */
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
    // Their rows count already, and those of resumable uploads count all their bytes between two PUTs.
    const isReserved = upload.claimEndsAt === null || upload.claimId?.startsWith(partClaim)
    const reserved = isReserved ? Number(upload.claimBytes ?? 0) : 0
    const more = [bytes, ...active.map((other) => Number(other.bytes))].reduce(
      (sum, each) => sum + countedBytes(each) - countedBytes(0),
      countedBytes(0) - countedBytes(reserved),
    )
    await assertFitsStorage(tx, { ...account, id: upload.accountId }, more, storageLimits)
    return takeClaim(tx, input)
  })
}

async function takeClaim(tx: Transaction, { key, bytes, session }: ClaimUploadInput): Promise<UploadClaim> {
  const id = `${typeof session === 'number' ? partClaim : ''}${randomText(16)}`
  // A PUT of the whole file replaces what the sessions before sent.
  const next = typeof session === 'number' ? 0 : 1
  // The upload may have been deleted while this waited for the account. Upkeep deletes what has expired.
  const [claimed] = await tx.$queryRaw<{ session: number }[]>`
    UPDATE uploads SET claim_id = ${id}, claim_bytes = ${bytes}, session = session + ${next}::int,
      claim_ends_at = clock_timestamp() + make_interval(secs => ${claimSeconds})
    WHERE object_key = ${key} AND deleted_at IS NULL AND expires_at > now() RETURNING session`
  if (!claimed) return { status: 'unknown' }
  // Takes the claim back.
  if (typeof session === 'number' && session !== claimed.session) throw replacedSession()
  return { status: 'claimed', id, session: claimed.session }
}

function replacedSession(): ServiceError {
  return new ServiceError(
    'not_found',
    'Another file is sent to this upload instead, so that it takes no more of this one. Choose the file again on the page of the upload, or presign another upload.',
  )
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
 * Ends the claim. `stored` is what is stored, if the PUT completed the object; it counts also if the claim was over before, because the
 * storage accepts one object in the end. A resumable upload that is not complete goes on to count all its bytes. Returns the webhook
 * endpoints to which the upload's event is due.
 */
export async function releaseUploadClaim(
  db: Database,
  key: string,
  claimId: string,
  stored?: StoredUpload,
  isResumable = false,
): Promise<DueWork | undefined> {
  const upload = stored ? await db.upload.findUnique({ where: { objectKey: key } }) : null
  // The bytes count before the claim counts no longer.
  const due = upload && stored ? await recordStoredBytes(db, upload, stored) : undefined
  const ended = { claimId: null, claimEndsAt: null }
  await db.upload.updateMany({
    where: { objectKey: key, claimId },
    data: isResumable && !stored ? ended : { ...ended, claimBytes: null },
  })
  return due
}

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
