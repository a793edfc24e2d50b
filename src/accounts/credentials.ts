import { announceSql } from '../db/announcements.ts'
import type { Database } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { callbackSecretOf } from '../webhooks/callbacks.ts'
import { hashOf, type ParsedToken, parseToken } from './keys.ts'
import { joinUseSql, type Quota, type QuotaRow, type QuotaUse, quotaUseOf, takenSql } from './quotas.ts'

/** A valid key or connector, or the session of the account's owner, and what it gives access to. */
export interface Credential {
  readonly accountId: string
  readonly scope: string
  /** A key or a connector; null if the owner is signed in. */
  readonly keyId: string | null
  readonly userId?: string
  readonly sessionId?: string
  readonly expiresAt: Date | null
  /** Signs the callbacks of its jobs and runs. Only API keys have one. */
  readonly callbackSecret?: () => string
  /** Whether a client got it by OAuth, and can ask its user for a wider scope. */
  readonly isByOAuth?: boolean
}

export interface KeyCredential extends Credential {
  readonly keyId: string
  /** Accurate to a minute. */
  readonly lastUsedAt: Date | null
}

/** The subject of the limit of an account's requests. */
export function accountSubject(accountId: string): string {
  return `${subjectPrefix}${accountId}`
}

const subjectPrefix = 'account '

export interface Authentication {
  readonly credential: KeyCredential
  /** Of the requests of its account. */
  readonly use: QuotaUse
}

interface AuthenticateOptions {
  readonly quota: Omit<Quota, 'subject'>
  readonly amount?: number
  /** The OAuth clients that the operator approves. Connectors of others, and keys that these created, are refused. */
  readonly approvedClientIds: readonly string[]
}

/**
 * The credential of a token, after taking the amount from the quota of its account, in one statement. Undefined if the token is
 * wrong, revoked or expired, or of an OAuth client that is not approved any more. Reads the rows each time, so revocation is
 * immediate.
 */
export async function authenticate(
  db: Database,
  token: string,
  { quota, amount = 1, approvedClientIds }: AuthenticateOptions,
): Promise<Authentication | undefined> {
  const parsed = parseToken(token)
  if (!parsed) return undefined
  // The comparison takes longer the more of the hash is equal. The hash does not reveal the secret.
  const [row] = await db.$queryRaw<(KeyCredential & QuotaRow)[]>`
    WITH payer AS (
      ${parsed.kind === 'con' ? connectorSql(parsed) : keySql(parsed)} AND ${approvedSql(approvedClientIds)}
    ), ${takenSql(quota, amount)}
    SELECT payer.*, used.* FROM payer ${joinUseSql}`
  if (!row) return undefined
  const { keyId, accountId, scope, lastUsedAt, expiresAt, isByOAuth } = row
  const credential = {
    ...{ keyId, accountId, scope, lastUsedAt, expiresAt },
    ...(isByOAuth ? { isByOAuth } : {}),
    ...(parsed.kind === 'key' ? { callbackSecret: () => callbackSecretOf(token) } : {}),
  }
  return { credential, use: quotaUseOf(quota, row) }
}

function keySql({ keyId, secret }: ParsedToken): Prisma.Sql {
  return Prisma.sql`
    SELECT id AS "keyId", account_id AS "accountId", scope, last_used_at AS "lastUsedAt", expires_at AS "expiresAt",
      false AS "isByOAuth", ${subjectPrefix} || account_id AS subject
    FROM api_keys
    WHERE id = ${keyId} AND secret_hash = ${hashOf(secret)} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${new Date()})`
}

/** A connector has a token of its own, or those that OAuth issued, each with an end of its own. */
function connectorSql({ keyId, secret }: ParsedToken): Prisma.Sql {
  const [hash, now] = [hashOf(secret), new Date()]
  return Prisma.sql`
    SELECT id AS "keyId", account_id AS "accountId", scope, last_used_at AS "lastUsedAt",
      least(api_keys.expires_at, issued.expires_at) AS "expiresAt", issued.hash IS NOT NULL AS "isByOAuth",
      ${subjectPrefix} || account_id AS subject
    FROM api_keys
      LEFT JOIN oauth_tokens AS issued ON issued.hash = ${hash} AND issued.kind = 'access'
        AND issued.connector_id = api_keys.id
    WHERE id = ${keyId} AND (secret_hash = ${hash} OR issued.hash IS NOT NULL) AND revoked_at IS NULL
      AND least(api_keys.expires_at, issued.expires_at, 'infinity') > ${now}`
}

/** Whether no OAuth client made the key, itself or by a key above it, or an approved one did. */
function approvedSql(clientIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`(
    maker_id IS NULL AND left(api_keys.id, 4) <> 'con_' OR NOT EXISTS (
      SELECT 1 FROM key_and_makers(api_keys.id) AS line JOIN oauth_grants ON oauth_grants.connector_id = line.key_id
      WHERE oauth_grants.client_id <> ALL(${[...clientIds]}::text[])
    ))`
}

/** Whether a key or connector is not of an OAuth client, or of an approved one. */
export async function isOfApprovedClient(
  db: Database,
  keyId: string,
  approvedClientIds: readonly string[],
): Promise<boolean> {
  const found = await db.$queryRaw<object[]>`
    SELECT id FROM api_keys WHERE id = ${keyId} AND ${approvedSql(approvedClientIds)}`
  return found.length > 0
}

/** Records when the key was last used, at most once a minute. */
export async function noteUse(db: Database, { keyId, lastUsedAt }: KeyCredential, now: Date): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000)
  if (lastUsedAt && lastUsedAt > minuteAgo) return
  await db.apiKey.updateMany({
    where: { id: keyId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: minuteAgo } }] },
    data: { lastUsedAt: now },
  })
}

/** Whether the key or connector was revoked or has expired, as an SQL expression. Not for a job that no key created. */
export function keyEndedSql(keyId: string | null): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM api_keys WHERE id = ${keyId} AND (revoked_at IS NOT NULL OR expires_at <= clock_timestamp()))`
}

/** Whether the key or connector was revoked or has expired, or the owner has signed out. */
export async function isCredentialEnded(
  db: Database,
  { keyId, sessionId, expiresAt }: Pick<Credential, 'keyId' | 'sessionId' | 'expiresAt'>,
): Promise<boolean> {
  if (expiresAt && expiresAt <= new Date()) return true
  if (keyId === null) return (await db.session.count({ where: { id: sessionId ?? '' } })) === 0
  return (await db.apiKey.count({ where: { id: keyId, revokedAt: null } })) === 0
}

interface OpenWaitInput {
  readonly id: string
  readonly accountId: string
  /** The key of the request, if it has one. */
  readonly keyId: string | null
  /** The maximum of simultaneous waits of the account. */
  readonly limit: number
  /** The maximum duration of the wait. */
  readonly milliseconds: number
}

/**
 * Records an open wait. Ends the account's oldest waits above the limit, and announces their ids. Returns false if it ended the new wait
 * itself: because that is above the limit, or because its key was revoked meanwhile. The wait is recorded before waits are counted, so
 * that the last of several simultaneous calls counts all of them.
 */
export async function acquireWaitSlot(
  db: Database,
  { id, accountId, keyId, limit, milliseconds }: OpenWaitInput,
): Promise<boolean> {
  await db.$executeRaw`
    INSERT INTO open_waits (id, account_id, ends_at)
    VALUES (${id}, ${accountId}, now() + make_interval(secs => ${milliseconds / 1000}::float8))`
  // Skips locked rows, which another process is deleting: waiting for them could end in a deadlock.
  const givenUp = await db.$queryRaw<{ id: string }[]>`
    WITH too_many AS (
      SELECT id FROM open_waits WHERE account_id = ${accountId} AND ends_at > now()
      ORDER BY started_at DESC, id DESC OFFSET ${limit}
    ), without_key AS (
      SELECT ${id} AS id WHERE ${keyEndedSql(keyId)}
    ), given_up AS (
      DELETE FROM open_waits WHERE id IN (
        SELECT id FROM open_waits WHERE id IN (SELECT id FROM too_many UNION SELECT id FROM without_key) FOR UPDATE SKIP LOCKED
      ) RETURNING id
    )
    SELECT id, ${announceSql(Prisma.sql`id`)} FROM given_up`
  return !givenUp.some((wait) => wait.id === id)
}

export async function holdsWaitSlot(db: Database, id: string): Promise<boolean> {
  return (await db.openWait.count({ where: { id } })) > 0
}

export async function releaseWaitSlot(db: Database, id: string): Promise<void> {
  await db.$executeRaw`DELETE FROM open_waits WHERE id = ${id}`
}

/** Deletes up to `limit` waits that were not released in time, and returns their number. */
export async function forgetOpenWaits(db: Database, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM open_waits WHERE id = ANY(ARRAY(
      SELECT id FROM open_waits WHERE ends_at < now() LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))`
}
