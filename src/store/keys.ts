import { createHash } from 'node:crypto'
import { newId, randomText } from '../core/ids.ts'
import type { KeyScope } from '../core/scopes.ts'
import { type Database, lockAccount, type Transaction } from './database.ts'
import type { ApiKeyModel } from './generated/models.ts'
import { giveUpWaitsOf } from './open-waits.ts'

export type ApiKey = Omit<ApiKeyModel, 'secretHash'>

export const keyPattern = /^mt_live_([a-zA-Z0-9]{24})_([a-zA-Z0-9]{43})$/

export interface NewKey {
  readonly accountId: string
  readonly name: string
  readonly scope?: KeyScope | undefined
  readonly expiresAt?: Date | undefined
  /** The key that creates this key. If that key is revoked, this key is revoked too. */
  readonly makerId?: string | undefined
  /** The most that this key, with the keys below it, can spend in a month. Null: the key has no cap of its own. */
  readonly monthlyCapMicroUsd?: bigint | null
  readonly mayRaiseLimits?: boolean
}

export interface MadeKey {
  readonly keyId: string
  readonly token: string
  readonly key: ApiKey
}

/** Creates a key. Only `token` contains its secret: `mt_live_<id>_<secret>`. */
export async function createKey(
  tx: Transaction,
  { accountId, name, scope = 'all', expiresAt, makerId, monthlyCapMicroUsd = null, mayRaiseLimits = false }: NewKey,
): Promise<MadeKey> {
  const keyId = newId('key')
  const secret = randomText(43)
  const key = await tx.apiKey.create({
    data: {
      id: keyId,
      accountId,
      name,
      scope,
      secretHash: hashOf(secret),
      lastFour: secret.slice(-4),
      expiresAt: expiresAt ?? null,
      makerId: makerId ?? null,
      monthlyCapMicroUsd,
      mayRaiseLimits,
    },
    omit: { secretHash: true },
  })
  return { keyId, token: `${publicPart(key)}_${secret}`, key }
}

/** The public part of a key: `mt_live_<id>`. */
export function publicPart({ id }: Pick<ApiKey, 'id'>): string {
  return `mt_live_${id.slice('key_'.length)}`
}

/** Unrevoked keys, newest first, then revoked ones, most recently revoked first. Without hashes. */
export async function listKeys(db: Database, accountId: string, limit: number): Promise<ApiKey[]> {
  return db.apiKey.findMany({
    where: { accountId },
    orderBy: [{ revokedAt: { sort: 'desc', nulls: 'first' } }, { createdAt: 'desc' }],
    take: limit,
    omit: { secretHash: true },
  })
}

export async function countKeys(tx: Transaction, accountId: string): Promise<number> {
  return tx.apiKey.count({ where: { accountId, revokedAt: null } })
}

export async function findKey(db: Database | Transaction, accountId: string, id: string): Promise<ApiKey | null> {
  return db.apiKey.findFirst({ where: { id, accountId }, omit: { secretHash: true } })
}

/**
 * Revokes the key and all keys below it: those that it created, those that these created, and so on. After this resolves, every
 * new request with them is refused, none of them can create a key, and their open waits are given up. Null if the account has
 * no such key.
 */
export async function revokeKey(db: Database, accountId: string, id: string): Promise<ApiKey | null> {
  const ended = await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    return tx.$queryRaw<{ id: string }[]>`
      WITH RECURSIVE ending AS (
        SELECT id FROM api_keys WHERE id = ${id} AND account_id = ${accountId}
        UNION SELECT made.id FROM api_keys AS made JOIN ending ON made.maker_id = ending.id
      )
      UPDATE api_keys SET revoked_at = ${new Date()} WHERE id IN (SELECT id FROM ending) AND revoked_at IS NULL
      RETURNING id`
  })
  await giveUpWaitsOf(db, ended)
  return findKey(db, accountId, id)
}

/** Revokes every key of the account, as revokeKey does. */
export async function revokeAllKeys(db: Database, accountId: string): Promise<void> {
  const ended = await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    return tx.apiKey.updateManyAndReturn({
      where: { accountId, revokedAt: null },
      data: { revokedAt: new Date() },
      select: { id: true },
    })
  })
  await giveUpWaitsOf(db, ended)
}

// The secret is 256 random bits, so a fast hash is as strong as a slow one and does not delay requests.
export function hashOf(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}
