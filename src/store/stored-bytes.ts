import type { Config } from '../config.ts'
import { ServiceError } from '../core/errors.ts'
import { describeBytes } from '../core/text.ts'
import { isUnpaid } from './admission.ts'
import type { Database, Transaction } from './database.ts'

// An account stores uploads up to a limit: a disk that one account fills refuses the uploads of all others.

/** How many bytes of uploads an account stores simultaneously. */
export interface StorageLimits {
  readonly perAccount: number
  /** The same for an unpaid account. */
  readonly beforePayment: number
}

export function storageLimitsOf(
  config: Pick<Config, 'STORED_BYTES_PER_ACCOUNT' | 'STORED_BYTES_BEFORE_PAYMENT'>,
): StorageLimits {
  return { perAccount: config.STORED_BYTES_PER_ACCOUNT, beforePayment: config.STORED_BYTES_BEFORE_PAYMENT }
}

/** Throws `payload_too_large` if the account would store too many bytes with so many more. */
export async function assertFitsStorage(
  db: Database | Transaction,
  accountId: string,
  bytes: number,
  { perAccount, beforePayment }: StorageLimits,
): Promise<void> {
  const standing = { ownerId: true, billingStatus: true } as const
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId }, select: standing })
  const limit = isUnpaid(account) ? Math.min(beforePayment, perAccount) : perAccount
  const stored = await storedBytes(db, accountId)
  if (stored + bytes <= limit) return
  const [has, may, more] = [stored, limit, bytes].map(describeBytes)
  throw new ServiceError(
    'payload_too_large',
    `This account stores ${has} of uploads and may store ${may}; with what it sends now, this upload counts as ${more}. Delete uploads that you no longer need, or send the size of the file as bytes.${limit < perAccount ? ' With active billing, an account may store more.' : ''}`,
  )
}

/** The bytes of the account's uploads that arrived and are not erased. */
async function storedBytes(db: Database | Transaction, accountId: string): Promise<number> {
  const { _sum: sum } = await db.upload.aggregate({ where: { accountId, erasedAt: null }, _sum: { bytes: true } })
  return Number(sum.bytes ?? 0)
}

/** For storages to which clients send bytes directly: records what arrived when it is first seen. */
export async function recordStoredBytes(db: Database, uploadId: string, bytes: number): Promise<void> {
  await db.upload.updateMany({ where: { id: uploadId, bytes: null }, data: { bytes } })
}
