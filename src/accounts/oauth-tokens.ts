import { daySeconds } from '../core/durations.ts'
import { randomText } from '../core/ids.ts'
import type { Database, Transaction } from '../store/database.ts'
import { hashOf, parseToken, publicPart } from '../store/keys.ts'
import { revokeKey } from '../store/revoke-keys.ts'
import { OAuthError } from './oauth-error.ts'

export const accessSeconds = 3600
/** A connection that is not used for this long is over. */
export const refreshSeconds = 30 * daySeconds
/** Access tokens of a connector; older ones end, so that a client that refreshes in a loop fills no table. */
const keptTokens = 100

/**
 * A refresh token begins with the secret that all refresh tokens of its connector share, their family: a used one is recognized by
 * it, without a record of each (RFC 9700, 4.14.2, lets a token encode its grant). The first one is that secret alone.
 */
const refreshForm = /^mt_ref_(([a-zA-Z0-9]{43})(?:_[a-zA-Z0-9]{43})?)$/

export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scope: string
}

export interface Refresh {
  readonly clientId: string
  readonly refreshToken: string
  /** If the request names one, it must be the approved one. */
  readonly scope?: string | undefined
}

/**
 * Exchanges a refresh token for new tokens, once: its next use, even by a simultaneous request, ends the connector, because one of
 * the two users is a thief (RFC 9700, 4.14.2). Throws `invalid_grant`.
 */
export async function exchangeRefreshToken(
  db: Database,
  { clientId, refreshToken, scope }: Refresh,
): Promise<IssuedTokens> {
  const [, secret = '', family = ''] = refreshForm.exec(refreshToken) ?? []
  const grant = await findGrantOfFamily(db, family)
  if (!grant?.connectorId || grant.clientId !== clientId) {
    throw invalidGrant('The refresh_token is not one of this client. Authorize again.')
  }
  const { id, accountId, connectorId, scope: approved } = grant
  if (scope !== undefined && scope !== approved) {
    throw new OAuthError('invalid_scope', `The approved scope is ${approved}. Leave out scope, or authorize again.`)
  }
  const next = refreshTokenOf(family, randomText(43))
  return unlessUsed(
    () =>
      db.$transaction(async (tx) => {
        const current = { id, refreshHash: hashOf(secret) }
        const used = await tx.oAuthGrant.updateMany({ where: current, data: { refreshHash: next.hash } })
        if (used.count === 0) throw new UsedBeforeError()
        const renewed = await tx.apiKey.updateMany({
          where: { id: connectorId, revokedAt: null, expiresAt: { gt: new Date() } },
          data: { expiresAt: secondsFromNow(refreshSeconds) },
        })
        if (renewed.count === 0) throw invalidGrant('The connection was revoked, or has expired. Authorize again.')
        return { accessToken: await issueAccessToken(tx, connectorId), refreshToken: next.token, scope: approved }
      }),
    async () => void (await revokeKey(db, accountId, connectorId)),
  )
}

/** Ends the connector of either token, with everything that came of the same code. Does nothing for tokens of other clients. */
export async function revokeToken(db: Database, clientId: string, text: string): Promise<void> {
  const grant = (await findGrantOfFamily(db, refreshForm.exec(text)?.[2])) ?? (await findGrantOfAccess(db, text))
  if (!grant?.connectorId || grant.clientId !== clientId) return
  await revokeKey(db, grant.accountId, grant.connectorId)
}

/** A code or a refresh token was used before. */
export class UsedBeforeError extends Error {
  override readonly name = 'UsedBeforeError'
}

/** Calls `revoke` and throws `invalid_grant` if the work finds that its code or token was used before. */
export async function unlessUsed<T>(work: () => Promise<T>, revoke: () => Promise<void>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UsedBeforeError)) throw error
    await revoke()
    throw invalidGrant('This was used before, so the connection is revoked. Authorize again.')
  }
}

async function findGrantOfFamily(db: Database, family: string | undefined) {
  return family ? db.oAuthGrant.findUnique({ where: { familyHash: hashOf(family) } }) : null
}

async function findGrantOfAccess(db: Database, accessToken: string) {
  const secret = parseToken(accessToken)?.secret
  if (!secret) return null
  return db.oAuthGrant.findFirst({ where: { connector: { oauthTokens: { some: { hash: hashOf(secret) } } } } })
}

/** The first refresh token of a connector: the token, and its hash, which is also that of the family. */
export function newRefreshToken() {
  return refreshTokenOf(randomText(43))
}

function refreshTokenOf(...parts: readonly string[]) {
  const secret = parts.join('_')
  return { token: `mt_ref_${secret}`, hash: hashOf(secret) }
}

/** Issues an access token of a connector. */
export async function issueAccessToken(tx: Transaction, connectorId: string): Promise<string> {
  const secret = randomText(43)
  await tx.oAuthToken.create({ data: { connectorId, hash: hashOf(secret), expiresAt: secondsFromNow(accessSeconds) } })
  await tx.$executeRaw`
    DELETE FROM oauth_tokens WHERE hash IN (
      SELECT hash FROM oauth_tokens WHERE connector_id = ${connectorId} ORDER BY expires_at DESC OFFSET ${keptTokens}
    )`
  return `${publicPart({ id: connectorId })}_${secret}`
}

export function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}

export function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message)
}
