import { type Database, lockAccount, type Transaction } from './database.ts'
import { type ApiKey, findKey } from './keys.ts'
import { endWaitsOf } from './open-waits.ts'

/**
 * Revokes the key and all keys below it: those that it created, those that these created, and so on. After this resolves, every
 * new request with them is refused, none of them can create a key, and their open waits end. Null if the account has
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
  await endWaitsOf(db, ended)
  return findKey(db, accountId, id)
}

export type RevokedKey = Pick<ApiKey, 'id' | 'name'>

/** Revokes every key and connector of the account, as revokeKey does, and codes that are not redeemed yet. Returns those that it revoked. */
export async function revokeAllKeys(db: Database, accountId: string): Promise<RevokedKey[]> {
  const ended = await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    return revokeKeysWithin(tx, accountId)
  })
  await endWaitsOf(db, ended)
  return ended
}

/** Revokes them in a transaction that has locked the account. After the commit, the caller ends the open waits of these keys. */
export async function revokeKeysWithin(tx: Transaction, accountId: string): Promise<RevokedKey[]> {
  await tx.oAuthGrant.deleteMany({ where: { accountId, connectorId: null } })
  return tx.apiKey.updateManyAndReturn({
    where: { accountId, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true, name: true },
  })
}
