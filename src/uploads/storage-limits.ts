import { takeUploadSql } from '../batches/take-upload.ts'
import type { Config } from '../config.ts'
import { ServiceError } from '../core/errors.ts'
import { describeBytes } from '../core/text.ts'
import { daySeconds } from '../core/time-code.ts'
import type { Database, Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { UploadModel } from '../db/generated/models.ts'
import { type Allowance, allowanceOf, type PaymentStanding } from '../jobs/admission.ts'
import type { DueWork } from '../webhooks/deliveries.ts'
import { eventSql, noticedSql } from '../webhooks/events.ts'

// An account stores uploads up to a limit: a disk that one account fills refuses the uploads of all others.

/** What an upload counts at least, also before its bytes arrive: its row and its files take room however small it is. */
const minUploadBytes = 64 * 1024

/** How long the PUTs of a resumable upload may take together: as long as sessions of Google Cloud Storage last. */
export const sessionSeconds = 7 * daySeconds

/** How the ids of claims begin that take a part of a resumable upload. What has arrived of it stays when its PUT is killed. */
export const partClaim = 'part_'

/** What an upload of this many bytes counts in the quotas of its account. */
export function countedBytes(bytes: number): number {
  return Math.max(bytes, minUploadBytes)
}

/** How many bytes of uploads an account stores simultaneously. */
export type StorageLimits = Allowance

export function storageLimitsOf(
  config: Pick<Config, 'STORED_BYTES_PER_ACCOUNT' | 'STORED_BYTES_BEFORE_PAYMENT'>,
): StorageLimits {
  return { perAccount: config.STORED_BYTES_PER_ACCOUNT, beforePayment: config.STORED_BYTES_BEFORE_PAYMENT }
}

interface StoringAccount extends PaymentStanding {
  readonly id: string
}

/** The account, for `assertFitsStorage` outside of its lock. */
export async function findStoringAccount(db: Database, id: string): Promise<StoringAccount> {
  return db.account.findUniqueOrThrow({ where: { id }, select: { id: true, ownerId: true, billingStatus: true } })
}

/** Throws `storage_limit_reached` if the account's uploads and these bytes exceed what it may store. */
export async function assertFitsStorage(
  db: Database | Transaction,
  account: StoringAccount,
  bytes: number,
  limits: StorageLimits,
): Promise<void> {
  const { stored, erased, limit } = await readStoredBytes(db, account, limits)
  if (stored + erased + bytes <= limit) return
  const [has, may, more] = [stored, limit, bytes].map(describeBytes)
  const deleted =
    erased > 0 ? ` Deleted uploads still count as ${describeBytes(erased)} until their upload_url has ended.` : ''
  throw new ServiceError(
    'storage_limit_reached',
    `This account stores ${has} of uploads and may store ${may}; with what it sends now, this upload counts as ${more}.${deleted} Delete uploads that you no longer need, or send the size of the file as bytes.${limit < limits.perAccount ? ' With active billing, an account may store more.' : ''}`,
  )
}

/**
 * What the account's uploads count, and how many bytes it may store. Of an erased upload, a row and an empty object stay until its
 * upload_url has ended: they take room too.
 */
export async function readStoredBytes(
  db: Database | Transaction,
  account: StoringAccount,
  limits: StorageLimits,
): Promise<{ readonly stored: number; readonly erased: number; readonly limit: number }> {
  const [row] = await db.$queryRaw<[{ stored: bigint; erased: number }]>`
    SELECT count(erased_at)::int AS erased, coalesce(sum(greatest(coalesce(bytes,
      -- Of a resumable upload between two PUTs, all that it may send.
      CASE WHEN (claim_ends_at IS NULL OR claim_ends_at <= now() AND starts_with(claim_id, ${partClaim}))
        AND created_at > now() - make_interval(secs => ${sessionSeconds}) THEN claim_bytes END, 0),
      ${minUploadBytes}::bigint)) FILTER (WHERE erased_at IS NULL), 0)::bigint AS stored FROM uploads
    WHERE account_id = ${account.id}`
  return {
    stored: Number(row.stored),
    erased: row.erased * minUploadBytes,
    limit: allowanceOf(account, limits),
  }
}

export interface StoredUpload {
  readonly bytes: number
  /** Since the upload was created. */
  readonly keptDays: number
}

/** Records what arrived and how long it is kept, with its event and for the directives that take it, once. Returns what is due. */
export async function recordStoredBytes(
  db: Database,
  upload: UploadModel,
  { bytes, keptDays }: StoredUpload,
): Promise<DueWork> {
  const { id, accountId, fileName, contentType, metadata } = upload
  const at = new Date()
  const data = {
    ...{ id, object: 'upload', file_name: fileName, content_type: contentType, bytes },
    metadata: metadata ?? {},
    received_at: at.toISOString(),
  }
  const statement = [
    // Before the upload: deletions lock in this order.
    Prisma.sql`account AS (SELECT id FROM accounts WHERE id = ${accountId} AND deleted_at IS NULL FOR NO KEY UPDATE)`,
    Prisma.sql`received AS (
      UPDATE uploads SET bytes = ${bytes}::bigint, expires_at = greatest(uploads.created_at + make_interval(days => ${keptDays}::int), now() + interval '1 day')
      FROM account
      WHERE uploads.id = ${id} AND bytes IS NULL AND uploads.deleted_at IS NULL RETURNING uploads.id)`,
    ...eventSql({ accountId, type: 'upload.received', subjectId: id, at, data }, Prisma.sql`received`),
    takeUploadSql(),
  ]
  const [due] = await db.$queryRaw<[Omit<DueWork, 'accountId'>]>`
    WITH ${Prisma.join(statement)} SELECT ${noticedSql(accountId)}, EXISTS (SELECT FROM directives) AS "hasItems"`
  return { accountId, ...due }
}
