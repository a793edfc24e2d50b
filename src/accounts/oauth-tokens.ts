import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { newId, randomText } from '../core/ids.ts'
import type { MicroUsd } from '../core/money.ts'
import { keyScopes } from '../core/scopes.ts'
import { daySeconds } from '../core/time-code.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import type { Prisma } from '../db/generated/client.ts'
import type { OAuthGrantModel } from '../db/generated/models.ts'
import { findChanger } from './changes.ts'
import { hashOf, parseToken, publicPart, revokeKey } from './keys.ts'
import { makeKeyIn } from './make-key.ts'
import { commandClient } from './oauth-clients.ts'
import { assertMayCreate } from './suspension.ts'

// A person's approval is a grant with a code. The request that redeems the code makes the grant's connector: an ordinary one, with
// tokens that expire and are exchanged. Revoking the connector ends everything that came of the code.

/** A client redeems its code immediately (RFC 6749, 4.1.2 allows ten minutes). */
const codeSeconds = 60

const codeForm = /^mt_code_([a-zA-Z0-9]{43})$/

/** RFC 7636, 4.1. */
const verifierForm = /^[\w.~-]{43,128}$/

const scopeSchema = z.enum(keyScopes)

interface Approval {
  readonly accountId: string
  readonly clientId: string
  /** Of the connector. */
  readonly name: string
  readonly scope: string
  readonly monthlyCapMicroUsd: MicroUsd | null
  readonly redirectUri: string
  /** PKCE S256. */
  readonly challenge: string
}

/**
 * Returns the code. Throws `account_suspended`, `invalid_api_key` if the account was deleted, or `sign_in_required` if the session
 * of the person who approves has ended.
 */
export async function grantCode(db: Database, approval: Approval, sessionId: string): Promise<string> {
  const secret = randomText(43)
  const { accountId } = approval
  const now = Date.now()
  await db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    await findChanger(tx, accountId, { sessionId })
    await tx.oAuthGrant.deleteMany({ where: { accountId, connectorId: null, codeExpiresAt: { lt: new Date(now) } } })
    const codeExpiresAt = new Date(now + codeSeconds * 1000)
    await tx.oAuthGrant.create({ data: { id: newId('grt'), codeHash: hashOf(secret), codeExpiresAt, ...approval } })
  })
  return `mt_code_${secret}`
}

interface CodeRedemption {
  readonly clientId: string
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/**
 * Exchanges a code for tokens, once. A code that is used again, even by a simultaneous request, ends what it gave (RFC 6749,
 * 4.1.2). Throws `invalid_grant`; a mistake in redirect or verifier does not use the code up.
 */
export async function redeemCode(
  db: Database,
  { clientId, code, redirectUri, verifier }: CodeRedemption,
): Promise<IssuedTokens> {
  const secret = codeForm.exec(code)?.[1]
  const grant = secret ? await db.oAuthGrant.findUnique({ where: { codeHash: hashOf(secret) } }) : null
  if (!grant || grant.clientId !== clientId) throw invalidGrant('The code is not one of this client.')
  if (grant.redirectUri !== redirectUri) throw invalidGrant('redirect_uri is not that of the authorization request.')
  if (!verifierForm.test(verifier) || challengeOf(verifier) !== grant.challenge)
    throw invalidGrant('code_verifier does not fit the code_challenge.')
  return unlessUsed(
    () => db.$transaction((tx) => connect(tx, grant)),
    async () => {
      const used = await db.oAuthGrant.findUnique({ where: { id: grant.id }, select: { connectorId: true } })
      if (used?.connectorId) await revokeKey(db, grant.accountId, used.connectorId)
    },
  )
}

/** Makes the connector of a grant, or the key of the command. The row's update decides which of several requests redeems the code. */
async function connect(tx: Transaction, grant: OAuthGrantModel): Promise<IssuedTokens> {
  const { id, accountId, name, monthlyCapMicroUsd } = grant
  // Redemptions of one account wait for each other, and read what the last one left: a repeated one must not fail for another reason.
  await lockAccount(tx, accountId)
  const now = await tx.oAuthGrant.findUnique({ where: { id }, select: { connectorId: true } })
  if (now?.connectorId) throw new UsedBeforeError()
  if (grant.codeExpiresAt <= new Date()) throw invalidGrant('The code has expired. Authorize again.')
  const scope = scopeSchema.parse(grant.scope)
  const redeem = async (data: Prisma.OAuthGrantUncheckedUpdateManyInput) => {
    const { count } = await tx.oAuthGrant.updateMany({ where: { id, connectorId: null }, data })
    if (count === 0) throw new UsedBeforeError()
  }
  if (grant.clientId === commandClient.id) {
    const made = await makeKeyIn(tx, { accountId, name, scope, monthlyCapMicroUsd })
    await redeem({ connectorId: made.keyId })
    return { accessToken: made.token, scope }
  }
  const expiresAt = secondsFromNow(refreshSeconds)
  const { keyId } = await makeKeyIn(tx, { kind: 'con', accountId, name, scope, monthlyCapMicroUsd, expiresAt })
  const refresh = newRefreshToken()
  await redeem({ connectorId: keyId, familyHash: refresh.hash, refreshHash: refresh.hash })
  return { accessToken: await issueAccessToken(tx, keyId), refreshToken: refresh.token, scope }
}

/** Deletes at most `limit` expired tokens, and as many grants whose code nobody redeemed, and returns their number. */
export async function forgetExpiredGrants(db: Database, now: Date, limit: number): Promise<number> {
  const tokens = await db.oAuthToken.deleteMany({ where: { expiresAt: { lt: now } }, limit })
  const grants = await db.oAuthGrant.deleteMany({ where: { connectorId: null, codeExpiresAt: { lt: now } }, limit })
  return tokens.count + grants.count
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export const accessSeconds = 3600
/** A connection that is not used for this long is over. */
const refreshSeconds = 30 * daySeconds
/** Access tokens of a connector; older ones end, so that a client that refreshes in a loop fills no table. */
const keptTokens = 100

/**
 * A refresh token begins with the secret that all refresh tokens of its connector share, their family: a used one is recognized by
 * it, without a record of each (RFC 9700, 4.14.2, lets a token encode its grant). The first one is that secret alone.
 */
const refreshForm = /^mt_ref_(([a-zA-Z0-9]{43})(?:_[a-zA-Z0-9]{43})?)$/

export interface IssuedTokens {
  readonly accessToken: string
  /** Undefined with the key of the command, which is valid until it is revoked. */
  readonly refreshToken?: string
  readonly scope: string
}

interface Refresh {
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
        // Before their rows, as a revocation of several keys does.
        await lockAccount(tx, accountId)
        const current = { id, refreshHash: hashOf(secret) }
        const used = await tx.oAuthGrant.updateMany({ where: current, data: { refreshHash: next.hash } })
        if (used.count === 0) throw new UsedBeforeError()
        if ((await renew(tx, connectorId)) === 0)
          throw invalidGrant('The connection was revoked, or has expired. Authorize again.')
        return { accessToken: await issueAccessToken(tx, connectorId), refreshToken: next.token, scope: approved }
      }),
    async () => void (await revokeKey(db, accountId, connectorId)),
  )
}

/** Moves the end of a connector, with that of the keys and directives below it that end with it. Returns the number of what it moved: 0 if it has ended. */
async function renew(tx: Transaction, connectorId: string): Promise<number> {
  return tx.$executeRaw`
    WITH RECURSIVE line AS (
      SELECT id, expires_at FROM api_keys WHERE id = ${connectorId} AND revoked_at IS NULL AND expires_at > ${new Date()}
      UNION SELECT made.id, made.expires_at FROM api_keys AS made
        JOIN line ON made.maker_id = line.id AND made.expires_at = line.expires_at AND made.id NOT LIKE 'bat_%'
    )
    UPDATE api_keys SET expires_at = ${secondsFromNow(refreshSeconds)} FROM line WHERE api_keys.id = line.id AND revoked_at IS NULL`
}

/** Ends the connector of either token, with everything that came of the same code. Does nothing for tokens of other clients. */
export async function revokeToken(db: Database, clientId: string, text: string): Promise<void> {
  const grant = (await findGrantOfFamily(db, refreshForm.exec(text)?.[2])) ?? (await findGrantOfAccess(db, text))
  if (!grant?.connectorId || grant.clientId !== clientId) return
  await revokeKey(db, grant.accountId, grant.connectorId)
}

/** A code or a refresh token was used before. */
class UsedBeforeError extends Error {
  override readonly name = 'UsedBeforeError'
}

/** Calls `revoke` and throws `invalid_grant` if the work finds that its code or token was used before. */
async function unlessUsed<T>(work: () => Promise<T>, revoke: () => Promise<void>): Promise<T> {
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
function newRefreshToken() {
  return refreshTokenOf(randomText(43))
}

function refreshTokenOf(...parts: readonly string[]) {
  const secret = parts.join('_')
  return { token: `mt_ref_${secret}`, hash: hashOf(secret) }
}

/** Issues an access token of a connector. */
async function issueAccessToken(tx: Transaction, connectorId: string): Promise<string> {
  const secret = randomText(43)
  await tx.oAuthToken.create({ data: { connectorId, hash: hashOf(secret), expiresAt: secondsFromNow(accessSeconds) } })
  await tx.$executeRaw`
    DELETE FROM oauth_tokens WHERE hash IN (
      SELECT hash FROM oauth_tokens WHERE connector_id = ${connectorId} ORDER BY expires_at DESC OFFSET ${keptTokens}
    )`
  return `${publicPart({ id: connectorId })}_${secret}`
}

function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}

function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message)
}

/** The error codes of RFC 6749 (4.1.2.1, 5.2), RFC 8707 and OpenID Connect that clients get. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'

/** A refusal that a client gets in OAuth's own form, and a person as `invalid_request`. */
export class OAuthError extends ServiceError {
  readonly oauthCode: OAuthErrorCode

  constructor(oauthCode: OAuthErrorCode, message: string) {
    super('invalid_request', message)
    this.oauthCode = oauthCode
  }
}
