import { findChanger } from '../accounts/changes.ts'
import type { Credential } from '../accounts/credentials.ts'
import { type ApiKey, createKey, isEndedKey, revokeKeyWithin } from '../accounts/keys.ts'
import { assertMayCreate } from '../accounts/suspension.ts'
import { assertMayRaise } from '../billing/limits.ts'
import { ServiceError } from '../core/errors.ts'
import { type IdPrefix, isId } from '../core/ids.ts'
import type { MicroUsd } from '../core/money.ts'
import { keyScopes } from '../core/scopes.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { BatchModel } from '../db/generated/models.ts'
import { assertUnpaidLeft } from '../jobs/admission.ts'
import { findRepeatedRequest, type IdempotencyKey, recordRequest } from '../jobs/idempotency.ts'
import type { Metadata } from '../jobs/job-rows.ts'
import { newestFirst } from '../jobs/list-conditions.ts'
import { erasingSql } from '../webhooks/events.ts'
import { cancelWaiting, releaseFailed } from './items.ts'

// A batch is one chain for many media, within one cap. A directive is a batch without an end, to which uploads add items when they
// arrive. Either is the key of its runs: the cap of that key is checked with each hold, and it ends with the key that made it.

/** A batch (`bat`) or a directive (`dir`): the prefix of its id. */
export type BatchKind = Extract<IdPrefix, 'bat' | 'dir'>

export type Batch = BatchModel & { readonly key: BatchKey }

const withKey = {
  include: { key: { select: { monthlyCapMicroUsd: true, revokedAt: true, expiresAt: true, makerId: true } } },
} as const
type BatchKey = Prisma.ApiKeyGetPayload<(typeof withKey)['include']['key']>

export const maxDirectives = 20
/** Of an account, at a time. */
export const maxOpenBatches = 100

export interface NewBatch {
  readonly kind: BatchKind
  readonly credential: Credential
  readonly requestId: string
  readonly name: string
  readonly chain: string
  readonly settings: Prisma.InputJsonObject
  readonly metadata: Metadata | undefined
  /** The most that the run of one media may cost. */
  readonly limitMicroUsd: MicroUsd
  /** The most that all runs may cost: of a directive, in a month. */
  readonly capMicroUsd: MicroUsd
  readonly mediaUrls?: readonly string[]
  /** Of a directive. */
  readonly match?: { readonly fileNames: string; readonly metadata: Metadata }
  readonly idempotency?: IdempotencyKey | undefined
  /** The bytes that the account may store without a charge a day. No limit if omitted. */
  readonly maxUnpaidBytes?: number | undefined
}

/**
 * Creates a batch or a directive, which spends as its maker may. Throws `conflict` if the account has as many as it may, and
 * `rate_limited` if it stored too much without a charge.
 */
export async function createBatch(db: Database, batch: NewBatch): Promise<{ id: string; isRepeat: boolean }> {
  const { kind, credential, requestId, name, chain, settings, metadata, idempotency, match, mediaUrls = [] } = batch
  const { accountId, keyId: makerId, sessionId } = credential
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    const earlier = idempotency && (await findRepeatedRequest(tx, accountId, idempotency))
    if (earlier) return { id: earlier, isRepeat: true }
    const maker = await findChanger(tx, accountId, { keyId: makerId, sessionId })
    await assertFew(tx, kind, accountId)
    await assertUnpaidLeft(tx, accountId, batch.maxUnpaidBytes ?? Number.POSITIVE_INFINITY)
    const { keyId: id } = await createKey(tx, {
      ...{ kind, accountId, name, makerId, expiresAt: maker?.expiresAt ?? undefined },
      scope: keyScopes.find((scope) => scope === credential.scope),
      monthlyCapMicroUsd: batch.capMicroUsd,
      capsAllMonths: kind === 'bat',
    })
    await tx.batch.create({
      data: {
        ...{ id, accountId, requestId, name, chain, settings, limitMicroUsd: batch.limitMicroUsd },
        ...(metadata ? { metadata } : {}),
        ...(match ? { fileNames: match.fileNames, taken: match.metadata } : {}),
      },
    })
    await tx.batchItem.createMany({ data: mediaUrls.map((mediaUrl) => ({ batchId: id, mediaUrl })) })
    if (idempotency) await recordRequest(tx, accountId, idempotency, id)
    return { id, isRepeat: false }
  })
}

async function assertFew(tx: Transaction, kind: BatchKind, accountId: string): Promise<void> {
  const max = kind === 'dir' ? maxDirectives : maxOpenBatches
  if ((await tx.batch.count({ where: { accountId, endedAt: null, ...ofKind(kind) } })) < max) return
  const message =
    kind === 'dir'
      ? `An account has at most ${max} directives. Delete one first.`
      : `An account has at most ${max} batches that run. Wait until one has ended, or cancel one.`
  throw new ServiceError('conflict', message)
}

function ofKind(kind: BatchKind) {
  return { id: { startsWith: `${kind}_` } }
}

/** Throws `not_found` if the account has none with this id. */
export async function getBatch(db: Database | Transaction, kind: BatchKind, accountId: string, id: string) {
  const batch = isId(kind, id) ? await db.batch.findFirst({ where: { id, accountId }, ...withKey }) : null
  if (batch) return batch
  const noun = kind === 'dir' ? 'directive' : 'batch'
  throw new ServiceError('not_found', `This account has no ${noun} with this id. Check the id.`)
}

interface BatchFilter {
  readonly limit: number
  readonly after: { readonly createdAt: Date; readonly id: string } | undefined
  /** Only those of these chains. */
  readonly chains: readonly string[]
}

/** A page of an account's batches or directives, newest first. */
export async function listBatches(
  db: Database,
  kind: BatchKind,
  accountId: string,
  { limit, after, chains }: BatchFilter,
): Promise<Batch[]> {
  const older = after && [{ createdAt: { lt: after.createdAt } }, { createdAt: after.createdAt, id: { lt: after.id } }]
  return db.batch.findMany({
    where: { accountId, AND: [ofKind(kind)], chain: { in: [...chains] }, ...(older ? { OR: older } : {}) },
    orderBy: newestFirst,
    take: limit,
    ...withKey,
  })
}

interface DirectiveChange {
  readonly name?: string | undefined
  readonly isOn?: boolean | undefined
  readonly limitMicroUsd?: MicroUsd | undefined
  readonly capMicroUsd?: MicroUsd | undefined
}

/** Throws `connector_scope_denied` if a key without the right raises what the directive may spend, or turns on one that another made. */
export async function changeDirective(
  db: Database,
  changer: Credential,
  id: string,
  { name, isOn, limitMicroUsd, capMicroUsd }: DirectiveChange,
): Promise<void> {
  const { accountId, keyId, sessionId } = changer
  await db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    const before = await getBatch(tx, 'dir', accountId, id)
    const by = await findChanger(tx, accountId, { keyId, sessionId })
    if (isRaised({ limitMicroUsd, capMicroUsd }, before)) assertMayRaise(by)
    if (isOn === true && !before.isOn) assertMaySpend(before.key, by)
    await tx.batch.update({
      where: { id },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(isOn === undefined ? {} : { isOn }),
        ...(limitMicroUsd === undefined ? {} : { limitMicroUsd }),
      },
    })
    if (capMicroUsd !== undefined) await tx.apiKey.update({ where: { id }, data: { monthlyCapMicroUsd: capMicroUsd } })
  })
}

/**
 * Deletes a directive, or a batch that has ended. The open runs of a directive end before their next step, as those of a revoked key;
 * what waits is not started. Runs that have ended stay. Throws `conflict` for a batch that runs.
 */
export async function deleteBatch(db: Database, { id, accountId }: Pick<Batch, 'id' | 'accountId'>): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const isOver = Prisma.sql`(id LIKE 'dir_%' OR ended_at IS NOT NULL)`
    if ((await deleteBatches(tx, Prisma.sql`id = ${id} AND account_id = ${accountId} AND ${isOver}`)) === 0)
      throw new ServiceError('conflict', 'The batch runs. Cancel it, or wait for its end.')
    await tx.idempotencyRecord.deleteMany({ where: { accountId, createdId: id } })
    await revokeKeyWithin(tx, accountId, id)
  })
}

/** Requests the end of a batch: what waits is not started. The caller cancels its open runs. */
export async function closeBatch(db: Database, { id, accountId }: Pick<Batch, 'id' | 'accountId'>): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await tx.batch.updateMany({ where: { id, endedAt: null }, data: { cancelRequestedAt: new Date() } })
    await cancelWaiting(tx, { id, accountId })
  })
}

interface BatchRetry extends Pick<Batch, 'id' | 'accountId'>, Pick<NewBatch, 'idempotency' | 'maxUnpaidBytes'> {
  readonly capMicroUsd: MicroUsd | undefined
}

/**
 * Lets failed items of a batch, or of a directive, wait for another run, and returns their number; undefined for a repeated request. With
 * `capMicroUsd`, also raises the cap. Throws `connector_scope_denied` if a key without the right raises it, or retries what another made; `conflict` if the key that
 * made it has ended, or too many batches run; `rate_limited` like `createBatch`.
 */
export async function retryBatch(db: Database, changer: Credential, retry: BatchRetry): Promise<number | undefined> {
  const { id, accountId, idempotency } = retry
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    if (idempotency && (await findRepeatedRequest(tx, accountId, idempotency))) return undefined
    const count = await retryIn(tx, changer, retry)
    if (idempotency) await recordRequest(tx, accountId, idempotency, id)
    return count
  })
}

async function retryIn(
  tx: Transaction,
  { keyId, sessionId }: Credential,
  { id, accountId, capMicroUsd, maxUnpaidBytes = Number.POSITIVE_INFINITY }: BatchRetry,
): Promise<number> {
  const batch = await getBatch(tx, isId('dir', id) ? 'dir' : 'bat', accountId, id)
  const by = await findChanger(tx, accountId, { keyId, sessionId })
  if (isEndedKey(batch.key))
    throw new ServiceError('conflict', 'The key that created it was revoked or has expired. Create it again.')
  if (isRaised({ capMicroUsd }, batch)) assertMayRaise(by)
  assertMaySpend(batch.key, by)
  if (batch.endedAt) await assertFew(tx, 'bat', accountId)
  await assertUnpaidLeft(tx, accountId, maxUnpaidBytes)
  const count = await releaseFailed(tx, id)
  const again = batch.endedAt ? { retries: { increment: 1 } } : {}
  if (count > 0) await tx.batch.update({ where: { id }, data: { endedAt: null, cancelRequestedAt: null, ...again } })
  // After the batch, as its deletion locks them.
  if (capMicroUsd !== undefined) await tx.apiKey.update({ where: { id }, data: { monthlyCapMicroUsd: capMicroUsd } })
  return count
}

function isRaised({ limitMicroUsd = 0n, capMicroUsd = 0n }: DirectiveChange, { key, ...before }: Batch): boolean {
  return limitMicroUsd > before.limitMicroUsd || capMicroUsd > (key.monthlyCapMicroUsd ?? 0n)
}

/** What a key made spends within the key's cap; what others made, only what the owner gave to them. */
function assertMaySpend({ makerId }: BatchKey, by: ApiKey | null): void {
  if (by?.id === makerId) return
  assertMayRaise(
    by,
    'Another credential made it, and it would spend for that one. Use the key that made it, or a key with may_raise_limits.',
  )
}

/** What all runs of each batch hold and have cost, in all months or in one. */
export async function spentByBatches(db: Database, ids: readonly string[], month?: string) {
  const sums = await db.keyMonth.groupBy({
    by: ['keyId'],
    where: { keyId: { in: [...ids] }, ...(month === undefined ? {} : { month }) },
    _sum: { heldMicroUsd: true, capturedMicroUsd: true },
  })
  const spent = new Map(
    sums.map(({ keyId, _sum: sum }) => [keyId, (sum.heldMicroUsd ?? 0n) + (sum.capturedMicroUsd ?? 0n)]),
  )
  return (id: string): MicroUsd => spent.get(id) ?? 0n
}

/** The open runs of a batch, without those that are being deleted, which are canceled already. */
export async function findOpenRuns(db: Database, id: string): Promise<{ id: string }[]> {
  return db.workflowRun.findMany({ where: { apiKeyId: id, endedAt: null, deletedAt: null }, select: { id: true } })
}

/** Deletes batches that ended before, up to `limit`, and returns their number. */
export async function deleteOldBatches(db: Database, before: Date, limit: number): Promise<number> {
  const old = Prisma.sql`id = ANY(ARRAY(SELECT id FROM batches WHERE ended_at < ${before} LIMIT ${limit}))`
  return deleteBatches(db, Prisma.sql`${old} AND ended_at < ${before}`)
}

/** Deletes batches with the contents of their events, and returns their number. Their keys stay without a name, for the ledger. */
async function deleteBatches(db: Database | Transaction, batches: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    WITH old AS (DELETE FROM batches WHERE ${batches} RETURNING id, retries), ${erasingSql(Prisma.sql`subject_id IN (
      SELECT id FROM old UNION ALL SELECT id || '/' || retry FROM old, generate_series(1, retries) AS retry
    )`)}
    UPDATE api_keys SET name = '' FROM old WHERE api_keys.id = old.id`
}

/** Of a deleted account. */
export async function forgetBatches(tx: Transaction, accountId: string): Promise<void> {
  await tx.batch.deleteMany({ where: { accountId } })
}
