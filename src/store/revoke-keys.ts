import { announceSql } from './announcements.ts'
import { type Database, lockAccount, type Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'
import { type ApiKey, findKey } from './keys.ts'

/**
 * Revokes the key and all keys below it: those that it created, those that these created, and so on. After this resolves, every
 * new request with them is refused, none of them can create a key, and their open waits end. Null if the account has
 * no such key.
 */
export async function revokeKey(db: Database, accountId: string, id: string): Promise<ApiKey | null> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await revokeWithin(
      tx,
      Prisma.sql`id IN (
        WITH RECURSIVE ending AS (
          SELECT id FROM api_keys WHERE id = ${id} AND account_id = ${accountId}
          UNION SELECT made.id FROM api_keys AS made JOIN ending ON made.maker_id = ending.id
        )
        SELECT id FROM ending
      )`,
    )
  })
  return findKey(db, accountId, id)
}

export type RevokedKey = Pick<ApiKey, 'id' | 'name'>

/** Revokes every key and connector of the account, as revokeKey does, and codes that are not redeemed yet. Returns those that it revoked. */
export async function revokeAllKeys(db: Database, accountId: string): Promise<RevokedKey[]> {
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    return revokeKeysWithin(tx, accountId)
  })
}

/** The same in a transaction that has locked the account. */
export async function revokeKeysWithin(tx: Transaction, accountId: string): Promise<RevokedKey[]> {
  await tx.oAuthGrant.deleteMany({ where: { accountId, connectorId: null } })
  return revokeWithin(tx, Prisma.sql`account_id = ${accountId}`)
}

/** Their open waits listen for the id of their key, which PostgreSQL announces with the commit. */
async function revokeWithin(tx: Transaction, keys: Prisma.Sql): Promise<RevokedKey[]> {
  const revoked = await tx.$queryRaw<RevokedKey[]>`
    UPDATE api_keys SET revoked_at = ${new Date()} WHERE revoked_at IS NULL AND ${keys}
    RETURNING id, name, ${announceSql(Prisma.sql`id`)}`
  return revoked.map(({ id, name }) => ({ id, name }))
}
