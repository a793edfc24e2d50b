import { assertFewChanges, type Changer, findChanger } from '../accounts/changes.ts'
import type { ApiKey } from '../accounts/keys.ts'
import { assertMayCreate } from '../accounts/suspension.ts'
import type { RowPage } from '../core/concurrency.ts'
import { ServiceError } from '../core/errors.ts'
import { isId, newId } from '../core/ids.ts'
import { type SigningConfig, signingKeysOf } from '../core/signing-secret.ts'
import { hourMs } from '../core/time-code.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import type { WebhookEndpointModel } from '../db/generated/models.ts'
import { addNotice } from '../mail/notices.ts'
import type { EventType } from './events.ts'
import { newWebhookSecret, openSecret, sealSecret } from './secrets.ts'

/** Without its secrets. */
export type WebhookEndpoint = Omit<WebhookEndpointModel, 'secret' | 'previousSecret'>

const withoutSecrets = { omit: { secret: true, previousSecret: true } } as const

/** The maximum number of webhook endpoints of an account. */
export const maxWebhookEndpoints = 10

interface Owner extends Changer {
  readonly accountId: string
}

interface NewWebhookEndpoint extends Owner {
  readonly url: string
  readonly description: string
  readonly eventTypes: readonly EventType[]
}

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint
  readonly secret: string
}

/** Only this returns the secret. Throws `conflict` if the account has as many as it may, and as `findChanger` does if the key or session has ended. */
export async function createWebhookEndpoint(
  db: Database,
  config: SigningConfig,
  { accountId, keyId, sessionId, eventTypes, ...wanted }: NewWebhookEndpoint,
): Promise<EndpointWithSecret> {
  const id = newId('whe')
  const secret = newWebhookSecret()
  const sealed = sealSecret(config, id, secret)
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    const changer = await findChanger(tx, accountId, { keyId, sessionId })
    if ((await tx.webhookEndpoint.count({ where: { accountId, subjectId: null } })) >= maxWebhookEndpoints) {
      throw new ServiceError(
        'conflict',
        `An account has at most ${maxWebhookEndpoints} webhook endpoints. Delete one first.`,
      )
    }
    const data = { id, accountId, ...wanted, eventTypes: [...eventTypes], secret: sealed }
    await announceEndpoint(tx, data, changer)
    return { endpoint: await tx.webhookEndpoint.create({ data, ...withoutSecrets }), secret }
  })
}

/** Whoever had a key for a moment could otherwise go on reading what happens in the account. */
async function announceEndpoint(
  tx: Transaction,
  { id, accountId, url }: Pick<WebhookEndpoint, 'id' | 'accountId' | 'url'>,
  changer: ApiKey | null,
): Promise<void> {
  const data = { webhook_endpoint_id: id, url: shownUrl(url) }
  await assertFewChanges(tx, accountId, changer)
  await addNotice(tx, { accountId, kind: 'webhook_created', key: `${id}/${Date.now()}`, data })
}

/** Without path and query, which can be secrets: notices are mailed, and events kept. */
export function shownUrl(url: string): string {
  return new URL(url).origin
}

/** Newest first. */
export async function listWebhookEndpoints(db: Database, accountId: string): Promise<WebhookEndpoint[]> {
  return db.webhookEndpoint.findMany({
    where: { accountId, subjectId: null },
    orderBy: { createdAt: 'desc' },
    ...withoutSecrets,
  })
}

/** Throws `not_found` if the account has no such webhook endpoint. */
export async function getWebhookEndpoint(
  db: Database | Transaction,
  accountId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await db.webhookEndpoint.findFirst({ where: ownEndpoint(accountId, id), ...withoutSecrets })
  if (!endpoint) throw unknownEndpoint()
  return endpoint
}

/** Matches no row for an id of another form, such as a callback's: PostgreSQL refuses some texts. */
function ownEndpoint(accountId: string, id: string) {
  return { id: isId('whe', id) ? id : '', accountId }
}

function unknownEndpoint(): ServiceError {
  return new ServiceError('not_found', 'This account has no webhook endpoint with this id. Check the id.')
}

export interface EndpointChange {
  readonly url?: string | undefined
  readonly description?: string | undefined
  readonly eventTypes?: readonly EventType[] | undefined
  readonly status?: 'active' | 'paused' | undefined
}

/** A change of URL or status begins anew: earlier failures no longer count. Throws as `findChanger` does if the key or session has ended. */
export async function changeWebhookEndpoint(
  db: Database,
  { accountId, ...changer }: Owner,
  id: string,
  { url, description, eventTypes, status }: EndpointChange,
): Promise<WebhookEndpoint> {
  const begins = url !== undefined || status !== undefined
  const data = {
    ...(begins ? { failures: 0, retryAt: null, failingSince: null } : {}),
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(status ? { status, disabledReason: null } : {}),
    ...(eventTypes ? { eventTypes: [...eventTypes] } : {}),
  }
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const key = await findChanger(tx, accountId, changer)
    const before = await tx.webhookEndpoint.findFirst({ where: ownEndpoint(accountId, id), select: { url: true } })
    const [changed] = await tx.webhookEndpoint.updateManyAndReturn({
      where: ownEndpoint(accountId, id),
      data,
      ...withoutSecrets,
    })
    if (!changed) throw unknownEndpoint()
    // The notice names what is compared.
    if (!before || shownUrl(changed.url) !== shownUrl(before.url)) await announceEndpoint(tx, changed, key)
    return changed
  })
}

/** Also deletes its deliveries. */
export async function deleteWebhookEndpoint(db: Database, accountId: string, id: string): Promise<void> {
  const { count } = await db.webhookEndpoint.deleteMany({ where: ownEndpoint(accountId, id) })
  if (count === 0) throw unknownEndpoint()
}

/** How long the secret before a rotation still signs. */
export const previousSecretHours = 24

/** Returns the new secret. The one before also signs for a day. */
export async function rotateWebhookSecret(
  db: Database,
  config: SigningConfig,
  { accountId, ...changer }: Owner,
  id: string,
): Promise<EndpointWithSecret> {
  const secret = newWebhookSecret()
  return db.$transaction(async (tx) => {
    // One rotation after the other: each keeps the secret of the one before.
    await lockAccount(tx, accountId)
    await findChanger(tx, accountId, changer)
    const before = await tx.webhookEndpoint.findFirst({ where: ownEndpoint(accountId, id), select: { secret: true } })
    if (!before) throw unknownEndpoint()
    const previousEndsAt = new Date(Date.now() + previousSecretHours * hourMs)
    const data = { secret: sealSecret(config, id, secret), previousSecret: before.secret, previousEndsAt }
    const [endpoint] = await tx.webhookEndpoint.updateManyAndReturn({ where: { id }, data, ...withoutSecrets })
    if (!endpoint) throw unknownEndpoint()
    return { endpoint, secret }
  })
}

/** Of a deleted account. */
export async function forgetWebhooks(tx: Transaction, accountId: string): Promise<void> {
  await tx.webhookEndpoint.deleteMany({ where: { accountId } })
  await tx.event.deleteMany({ where: { accountId } })
}

const seals = { id: true, secret: true, previousSecret: true, previousEndsAt: true } as const
type Seals = Pick<WebhookEndpointModel, keyof typeof seals>

/** Endpoints with a secret that another signing secret than the current one sealed, or with a replaced one that signs no longer. */
export async function findOldSeals(
  db: Database,
  config: SigningConfig,
  { limit, except = [] }: RowPage,
): Promise<Seals[]> {
  const [{ keyId }] = signingKeysOf(config)
  const current = { startsWith: `${keyId}.` }
  const isOld = [
    { NOT: { secret: current } },
    { previousSecret: { not: null }, NOT: { previousSecret: current } },
    { previousEndsAt: { lt: new Date() } },
  ]
  return db.webhookEndpoint.findMany({ where: { id: { notIn: [...except] }, OR: isOld }, take: limit, select: seals })
}

/** Seals with the current signing secret what the other one sealed, so that the other one can be given up. */
export async function resealSecrets(
  db: Database,
  config: SigningConfig,
  { id, secret, previousSecret, previousEndsAt }: Seals,
): Promise<boolean> {
  const reseal = (sealed: string) => sealSecret(config, id, openSecret(config, id, sealed))
  const keeps = previousSecret !== null && previousEndsAt !== null && previousEndsAt > new Date()
  const previous = keeps ? { previousSecret: reseal(previousSecret) } : { previousSecret: null, previousEndsAt: null }
  // A rotation meanwhile wins.
  const { count } = await db.webhookEndpoint.updateMany({
    where: { id, secret },
    data: { secret: reseal(secret), ...previous },
  })
  return count > 0
}
