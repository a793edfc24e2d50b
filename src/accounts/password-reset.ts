import { createHash, createHmac } from 'node:crypto'
import { newId } from '../core/ids.ts'
import type { Mail } from '../mail/open-mailer.ts'
import type { Database } from '../store/database.ts'
import { revokeAllKeys } from '../store/revoke-keys.ts'
import { resetMail } from './mails.ts'

const validSeconds = 3600
/** A link that ends sooner is not mailed again: its reader needs some minutes. */
const mailedAgainSeconds = 900

export interface ResetDependencies {
  readonly db: Database
  readonly baseUrl: string
  readonly secrets: readonly [string, ...string[]]
}

/**
 * The mail with the link to a new password; undefined if nobody has the address. While a link is valid, returns that one again,
 * so that a stranger's requests neither end the owner's link nor add others. better-auth reads the row, and ends it when the
 * link is used.
 */
export async function resetMailFor(deps: ResetDependencies, email: string): Promise<Mail | undefined> {
  const { db, baseUrl, secrets } = deps
  const unrevoked = {
    where: { revokedAt: null },
    orderBy: { createdAt: 'asc' },
    select: { name: true, lastFour: true, oauthGrant: { select: { name: true } } },
  } as const
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, account: { select: { keys: unrevoked } } },
  })
  if (!user) return undefined
  const { token, expiresAt } = (await openReset(deps, user.id)) ?? (await createReset(db, secrets[0], user.id))
  return { to: email, ...resetMail(baseUrl, { token, expiresAt, keys: user.account?.keys ?? [] }) }
}

async function openReset({ db, secrets }: ResetDependencies, userId: string) {
  const open = await db.verification.findMany({
    where: { value: userId, expiresAt: { gt: new Date(Date.now() + mailedAgainSeconds * 1000) } },
  })
  for (const { id, identifier, expiresAt } of open) {
    const token = secrets.map((secret) => tokenOf(secret, id)).find((each) => identifierOf(each) === identifier)
    if (token) return { token, expiresAt }
  }
  return undefined
}

async function createReset(db: Database, secret: string, userId: string) {
  const id = newId('ver')
  const token = tokenOf(secret, id)
  const expiresAt = new Date(Date.now() + validSeconds * 1000)
  await db.verification.create({ data: { id, identifier: identifierOf(token), value: userId, expiresAt } })
  return { token, expiresAt }
}

/** The row and the secret are enough to compute the token again. The row itself has only a hash of the token. */
function tokenOf(secret: string, id: string): string {
  return createHmac('sha256', secret).update(`reset-password/1\n${id}`).digest('base64url')
}

/** As better-auth stores the token of its own reset, with `storeIdentifier: 'hashed'`. */
function identifierOf(token: string): string {
  return createHash('sha256').update(`reset-password:${token}`).digest('base64url')
}

/** The user whose password the token resets; null if it is not valid. */
export async function userOfReset(db: Database, token: string) {
  const row = await db.verification.findFirst({
    where: { identifier: identifierOf(token), expiresAt: { gt: new Date() } },
  })
  return row && db.user.findUnique({ where: { id: row.value }, select: { id: true, email: true } })
}

/** Revokes the keys of the account that the user owns. */
export async function revokeKeysOf(db: Database, userId: string): Promise<void> {
  const account = await db.account.findUnique({ where: { ownerId: userId }, select: { id: true } })
  if (account) await revokeAllKeys(db, account.id)
}
