import type { Database } from './database.ts'
import { hashOf, keyPattern } from './keys.ts'
import { joinUseSql, type Quota, type QuotaRow, type QuotaUse, quotaUseOf, takenSql } from './quotas.ts'

/** A valid key, and whom it gives access to. */
export interface Credential {
  readonly keyId: string
  readonly accountId: string
  readonly scope: string
  /** Accurate to a minute. */
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
}

/** The subject of the limit of an account's requests. */
export function accountSubject(accountId: string): string {
  return `${subjectPrefix}${accountId}`
}

const subjectPrefix = 'account '

/** Whether a text has the form of a key, valid or not. */
export function isToken(text: string): boolean {
  return keyPattern.test(text)
}

export interface Authentication {
  readonly credential: Credential
  /** Of the requests of its account. */
  readonly use: QuotaUse
}

/**
 * The credential of a token, after taking the amount from the quota of its account, in one statement. Undefined if the token is
 * wrong, revoked or expired. Reads the row each time, so revocation is immediate.
 */
export async function authenticate(
  db: Database,
  token: string,
  quota: Omit<Quota, 'subject'>,
  amount = 1,
): Promise<Authentication | undefined> {
  const [, id, secret] = keyPattern.exec(token) ?? []
  if (!id || !secret) return undefined
  // The comparison takes longer the more of the hash is equal. The hash does not reveal the secret.
  const [row] = await db.$queryRaw<(Credential & QuotaRow)[]>`
    WITH payer AS (
      SELECT id AS "keyId", account_id AS "accountId", scope, last_used_at AS "lastUsedAt", expires_at AS "expiresAt",
        ${subjectPrefix} || account_id AS subject
      FROM api_keys
      WHERE id = ${`key_${id}`} AND secret_hash = ${hashOf(secret)} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${new Date()})
    ), ${takenSql(quota, amount)}
    SELECT payer.*, used.* FROM payer ${joinUseSql}`
  if (!row) return undefined
  const { keyId, accountId, scope, lastUsedAt, expiresAt } = row
  return { credential: { keyId, accountId, scope, lastUsedAt, expiresAt }, use: quotaUseOf(quota, row) }
}

/** Records when the key was last used, at most once a minute. */
export async function noteUse(db: Database, { keyId, lastUsedAt }: Credential, now: Date): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000)
  if (lastUsedAt && lastUsedAt > minuteAgo) return
  await db.apiKey.updateMany({
    where: { id: keyId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: minuteAgo } }] },
    data: { lastUsedAt: now },
  })
}

/** Whether the key was revoked or has expired. */
export async function isKeyEnded(
  db: Database,
  { keyId, expiresAt }: Pick<Credential, 'keyId' | 'expiresAt'>,
): Promise<boolean> {
  if (expiresAt && expiresAt <= new Date()) return true
  return (await db.apiKey.count({ where: { id: keyId, revokedAt: null } })) === 0
}
