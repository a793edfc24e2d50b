import { daySeconds } from '../core/durations.ts'
import { randomText } from '../core/ids.ts'
import type { Database, Transaction } from '../store/database.ts'
import type { OAuthTokenKind } from '../store/generated/enums.ts'
import { hashOf, publicPart } from '../store/keys.ts'
import { revokeKey } from '../store/revoke-keys.ts'
import { OAuthError } from './oauth-error.ts'

export const accessSeconds = 3600
/** A connection that is not used for this long is over. */
export const refreshSeconds = 30 * daySeconds
/** Of each kind and connector; older ones are forgotten, so that a client that refreshes in a loop fills no table. */
const keptTokens = 100

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
  const token = await findToken(db, refreshToken)
  const { connector } = token ?? {}
  if (token?.kind !== 'refresh' || connector?.oauthGrant?.clientId !== clientId) {
    throw invalidGrant('The refresh_token is not one of this client, or has expired. Authorize again.')
  }
  const { hash, connectorId } = token
  const approved = connector.scope
  if (scope !== undefined && scope !== approved) {
    throw new OAuthError('invalid_scope', `The approved scope is ${approved}. Leave out scope, or authorize again.`)
  }
  return unlessUsed(
    () =>
      db.$transaction(async (tx) => {
        const now = new Date()
        if (token.usedAt !== null) throw new UsedBeforeError()
        if (token.expiresAt <= now) throw invalidGrant('The refresh_token has expired. Authorize again.')
        const used = await tx.oAuthToken.updateMany({ where: { hash, usedAt: null }, data: { usedAt: now } })
        if (used.count === 0) throw new UsedBeforeError()
        const expiresAt = secondsFromNow(refreshSeconds)
        const renewed = await tx.apiKey.updateMany({ where: { id: connectorId, revokedAt: null }, data: { expiresAt } })
        if (renewed.count === 0) throw invalidGrant('The connection was revoked. Authorize again.')
        return issueTokens(tx, { connectorId, scope: approved })
      }),
    async () => void (await revokeKey(db, connector.accountId, connectorId)),
  )
}

/** Ends the connector of either token, with everything that came of the same code. Does nothing for tokens of other clients. */
export async function revokeToken(db: Database, clientId: string, text: string): Promise<void> {
  const token = await findToken(db, text)
  if (token?.connector.oauthGrant?.clientId !== clientId) return
  await revokeKey(db, token.connector.accountId, token.connectorId)
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

async function findToken(db: Database, text: string) {
  const secret = secretOf(text)
  if (!secret) return null
  return db.oAuthToken.findUnique({
    where: { hash: hashOf(secret) },
    include: { connector: { select: { accountId: true, scope: true, oauthGrant: { select: { clientId: true } } } } },
  })
}

export async function issueTokens(
  tx: Transaction,
  { connectorId, scope }: { readonly connectorId: string; readonly scope: string },
): Promise<IssuedTokens> {
  const [access, refresh] = [randomText(43), randomText(43)]
  const token = (kind: OAuthTokenKind, secret: string, seconds: number) => ({
    ...{ kind, connectorId, hash: hashOf(secret), expiresAt: secondsFromNow(seconds) },
  })
  await tx.oAuthToken.createMany({
    data: [token('access', access, accessSeconds), token('refresh', refresh, refreshSeconds)],
  })
  await tx.$executeRaw`
    DELETE FROM oauth_tokens WHERE hash IN (
      SELECT hash FROM (
        SELECT hash, row_number() OVER (PARTITION BY kind ORDER BY expires_at DESC) AS place
        FROM oauth_tokens WHERE connector_id = ${connectorId}
      ) AS newest_first WHERE place > ${keptTokens}
    )`
  const accessToken = `${publicPart({ id: connectorId })}_${access}`
  return { accessToken, refreshToken: `mt_ref_${refresh}`, scope }
}

/** The secret of a code, an access token or a refresh token. */
export function secretOf(text: string): string | undefined {
  return /^mt_(?:code|ref|con_[a-zA-Z0-9]{24})_([a-zA-Z0-9]{43})$/.exec(text)?.[1]
}

export function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}

export function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message)
}
