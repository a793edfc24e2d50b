import { timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../core/errors.ts'
import { dayMs } from '../core/time-code.ts'
import type { Database, Transaction } from '../db/database.ts'

/** A request that is repeated within this time creates nothing. */
const repeatLifetimeMs = dayMs

export interface IdempotencyKey {
  readonly method: string
  readonly path: string
  readonly key: string
  /** SHA-256 of the request body. */
  readonly bodyHash: Uint8Array<ArrayBuffer>
}

/**
 * The id of the job or run that an earlier request with the key created, or undefined. Throws `idempotency_conflict` for another body.
 * The caller holds the account's row lock.
 */
export async function findRepeatedRequest(
  tx: Transaction,
  accountId: string,
  given: IdempotencyKey,
): Promise<string | undefined> {
  const { method, path, key } = given
  const id = { accountId_method_path_key: { accountId, method, path, key } }
  const record = await tx.idempotencyRecord.findUnique({ where: id })
  if (!record) return undefined
  if (record.createdAt.getTime() < Date.now() - repeatLifetimeMs) {
    await tx.idempotencyRecord.deleteMany({ where: { accountId, method, path, key, createdAt: record.createdAt } })
    return undefined
  }
  if (!timingSafeEqual(record.bodyHash, given.bodyHash)) throw new ServiceError('idempotency_conflict')
  return record.createdId
}

export async function recordRequest(
  tx: Transaction,
  accountId: string,
  { method, path, key, bodyHash }: IdempotencyKey,
  createdId: string,
): Promise<void> {
  await tx.idempotencyRecord.create({ data: { accountId, method, path, key, bodyHash, createdId } })
}

/** Deletes up to `limit` expired records, and returns their number. */
export async function deleteOldIdempotencyKeys(db: Database, limit: number): Promise<number> {
  const { count } = await db.idempotencyRecord.deleteMany({
    where: { createdAt: { lt: new Date(Date.now() - repeatLifetimeMs) } },
    limit,
  })
  return count
}
