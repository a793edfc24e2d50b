import { createHash } from 'node:crypto'
import { newId, randomText } from '../core/ids.ts'
import type { KeyScope } from '../core/scopes.ts'
import { daySeconds } from '../core/time-code.ts'
import { announceSql } from '../db/announcements.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { ApiKeyModel } from '../db/generated/models.ts'
import { takeOrRefuse } from './quotas.ts'

export type ApiKey = Omit<ApiKeyModel, 'secretHash'>

/** A connector, with the OAuth client that it was made for. Without one it has a token of its own. */
export type Connector = ApiKey & { readonly oauthGrant: { readonly clientId: string } | null }

/** A key works on the whole API. A connector is a key for an assistant: its token works on /mcp, and reads what tools name. The prefix of its id says which one a row is. */
export type KeyKind = 'key' | 'con'

const tokenPrefixes = { key: 'mt_live', con: 'mt_con' } as const
const tokenPattern = /^mt_(live|con)_([a-zA-Z0-9]{24})_([a-zA-Z0-9]{43})$/

export interface ParsedToken {
  readonly kind: KeyKind
  readonly keyId: string
  readonly secret: string
}

/** The parts of a token, valid or not; undefined for other texts. */
export function parseToken(text: string): ParsedToken | undefined {
  const [, prefix, id, secret] = tokenPattern.exec(text) ?? []
  if (!id || !secret) return undefined
  const kind = prefix === 'con' ? 'con' : 'key'
  return { kind, keyId: `${kind}_${id}`, secret }
}

export interface NewKey {
  readonly kind?: KeyKind | undefined
  readonly accountId: string
  readonly name: string
  readonly scope?: KeyScope | undefined
  readonly expiresAt?: Date | undefined
  /** The key that creates this key. If that key is revoked, this key is revoked too. */
  readonly makerId?: string | null | undefined
  /** The owner's session that creates this key. The key outlives it. */
  readonly sessionId?: string | undefined
  /** The most that this key, with the keys below it, can spend in a month. Null: the key has no cap of its own. */
  readonly monthlyCapMicroUsd?: bigint | null
  readonly mayRaiseLimits?: boolean
}

export interface MadeKey {
  readonly keyId: string
  readonly token: string
  readonly key: ApiKey
}

type AnyKind = KeyKind | 'bat' | 'dir'

/**
 * How many an account makes in a day by its keys, and as many by its owner, whom a stolen key does not keep from making another. Rows of keys
 * stay after their end, for the ledger.
 */
const madeInADay: Readonly<Record<AnyKind, number>> = { key: 1_000, con: 1_000, dir: 1_000, bat: 10_000 }

/** Batches and directives have a key too, for the cap of their runs. No token of it is accepted. */
type KeyToCreate = Omit<NewKey, 'kind'> & {
  readonly kind?: AnyKind | undefined
  /** Whether the cap is for all months together. */
  readonly capsAllMonths?: boolean
}

/**
 * Creates a key. Only `token` contains its secret: `mt_live_<id>_<secret>`, or `mt_con_…` for a connector. Throws `rate_limited` if the account
 * made too many in a day.
 */
export async function createKey(
  tx: Transaction,
  {
    kind = 'key',
    accountId,
    name,
    scope = 'all',
    expiresAt,
    makerId,
    monthlyCapMicroUsd = null,
    mayRaiseLimits = false,
    capsAllMonths = false,
  }: KeyToCreate,
): Promise<MadeKey> {
  await assertFewMade(tx, kind, { accountId, makerId })
  const keyId = newId(kind)
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
      capsAllMonths,
    },
    omit: { secretHash: true },
  })
  return { keyId, token: `${publicPart(key)}_${secret}`, key }
}

export const nounsOfKeys: Readonly<Record<AnyKind, string>> = {
  key: 'API keys',
  con: 'connectors',
  dir: 'directives',
  bat: 'batches',
}

async function assertFewMade(
  tx: Transaction,
  kind: AnyKind,
  { accountId, makerId }: Pick<KeyToCreate, 'accountId' | 'makerId'>,
): Promise<void> {
  const limit = madeInADay[kind]
  const subject = `made ${kind} ${makerId ? 'by keys' : 'by owner'} ${accountId}`
  await takeOrRefuse(
    tx,
    { subject, limit, windowSeconds: daySeconds },
    `This account has made ${limit} ${nounsOfKeys[kind]} in a day. Create further ones after the number of seconds in Retry-After.`,
  )
}

/** The public part of a token: `mt_live_<id>`, `mt_con_<id>`. */
export function publicPart({ id }: Pick<ApiKey, 'id'>): string {
  const kind = id.startsWith('con_') ? 'con' : 'key'
  return id.replace(kind, tokenPrefixes[kind])
}

const ofKind = (kind: KeyKind) => ({ id: { startsWith: `${kind}_` } })

/** Unrevoked keys, newest first, then revoked ones, most recently revoked first. Without hashes. */
export async function listKeys(db: Database, accountId: string, limit: number): Promise<ApiKey[]> {
  return db.apiKey.findMany({
    where: { accountId, ...ofKind('key') },
    orderBy: unrevokedFirst,
    take: limit,
    omit: { secretHash: true },
  })
}

/** Connectors in the order of `listKeys`. */
export async function listConnectors(db: Database, accountId: string, limit: number): Promise<Connector[]> {
  return db.apiKey.findMany({
    where: { accountId, ...ofKind('con') },
    orderBy: unrevokedFirst,
    take: limit,
    ...connectorFields,
  })
}

export async function findConnector(db: Database, accountId: string, id: string): Promise<Connector | null> {
  return db.apiKey.findFirst({ where: { accountId, AND: [{ id }, ofKind('con')] }, ...connectorFields })
}

const connectorFields = {
  omit: { secretHash: true },
  include: { oauthGrant: { select: { clientId: true } } },
} as const

const unrevokedFirst = [
  { revokedAt: { sort: 'desc', nulls: 'first' } },
  { createdAt: 'desc' },
] satisfies Prisma.ApiKeyOrderByWithRelationInput[]

export async function countKeys(db: Database | Transaction, accountId: string, kind: KeyKind): Promise<number> {
  return db.apiKey.count({ where: { accountId, ...notEnded([kind]) } })
}

/** What has not ended of these kinds: at most `maxKeys` of each. */
export function notEnded(kinds: readonly KeyKind[] = ['key', 'con']) {
  const works = [{ expiresAt: null }, { expiresAt: { gt: new Date() } }]
  return { revokedAt: null, AND: [{ OR: works }, { OR: kinds.map(ofKind) }] } satisfies Prisma.ApiKeyWhereInput
}

/** Whether it was revoked or has expired. */
export function isEndedKey({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= new Date())
}

/** A key or a connector of the account. */
export async function findKey(db: Database | Transaction, accountId: string, id: string): Promise<ApiKey | null> {
  return db.apiKey.findFirst({ where: { id, accountId }, omit: { secretHash: true } })
}

// The secret is 256 random bits, so a fast hash is as strong as a slow one and does not delay requests.
export function hashOf(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}

/**
 * Revokes the key and all keys below it: those that it created, those that these created, and so on. After this resolves, every
 * new request with them is refused, none of them can create a key, and their open waits end. Null if the account has
 * no such key.
 */
export async function revokeKey(db: Database, accountId: string, id: string): Promise<ApiKey | null> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await revokeKeyWithin(tx, accountId, id)
  })
  return findKey(db, accountId, id)
}

/** The same in a transaction that has locked the account. */
export async function revokeKeyWithin(tx: Transaction, accountId: string, id: string): Promise<void> {
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
}

type RevokedKey = Pick<ApiKey, 'id' | 'name'>

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
  // One of the keys may have created them.
  await tx.webhookEndpoint.updateMany({ where: { accountId, status: 'active' }, data: { status: 'paused' } })
  return revokeWithin(tx, Prisma.sql`account_id = ${accountId}`)
}

/** With their callbacks and shares. Their open waits listen for the id of their key, which PostgreSQL announces with the commit. */
async function revokeWithin(tx: Transaction, keys: Prisma.Sql): Promise<RevokedKey[]> {
  const revoked = await tx.$queryRaw<RevokedKey[]>`
    WITH revoked AS (
      UPDATE api_keys SET revoked_at = ${new Date()} WHERE revoked_at IS NULL AND ${keys} RETURNING id, name
    ), uncalled AS (DELETE FROM webhook_endpoints USING revoked WHERE key_id = revoked.id),
    unshared AS (DELETE FROM shares USING revoked WHERE api_key_id = revoked.id)
    SELECT id, name, ${announceSql(Prisma.sql`id`)} FROM revoked`
  return revoked.map(({ id, name }) => ({ id, name }))
}
