import { createHash } from 'node:crypto'
import { z } from 'zod'
import { findChanger } from '../billing/key-caps.ts'
import { newId, randomText } from '../core/ids.ts'
import type { MicroUsd } from '../core/money.ts'
import { keyScopes } from '../core/scopes.ts'
import { type Database, lockAccount, type Transaction } from '../store/database.ts'
import type { OAuthGrantModel } from '../store/generated/models.ts'
import { hashOf } from '../store/keys.ts'
import { revokeKey } from '../store/revoke-keys.ts'
import { assertMayCreate } from '../store/suspension.ts'
import { makeKeyIn } from './make-key.ts'
import {
  type IssuedTokens,
  invalidGrant,
  issueAccessToken,
  newRefreshToken,
  refreshSeconds,
  secondsFromNow,
  UsedBeforeError,
  unlessUsed,
} from './oauth-tokens.ts'

// A person's approval is a grant with a code. The request that redeems the code makes the grant's connector: an ordinary one, with
// tokens that expire and are exchanged. Revoking the connector ends everything that came of the code.

/** A client redeems its code immediately (RFC 6749, 4.1.2 allows ten minutes). */
const codeSeconds = 60

const codeForm = /^mt_code_([a-zA-Z0-9]{43})$/

/** RFC 7636, 4.1. */
const verifierForm = /^[\w.~-]{43,128}$/

const scopeSchema = z.enum(keyScopes)

export interface Approval {
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

export interface CodeRedemption {
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

/** Makes the connector of a grant. The row's update decides which of several requests redeems the code. */
async function connect(tx: Transaction, grant: OAuthGrantModel): Promise<IssuedTokens> {
  const { id, accountId, name, monthlyCapMicroUsd } = grant
  // Redemptions of one account wait for each other, and read what the last one left: a repeated one must not fail for another reason.
  await lockAccount(tx, accountId)
  const now = await tx.oAuthGrant.findUnique({ where: { id }, select: { connectorId: true } })
  if (now?.connectorId) throw new UsedBeforeError()
  if (grant.codeExpiresAt <= new Date()) throw invalidGrant('The code has expired. Authorize again.')
  const scope = scopeSchema.parse(grant.scope)
  const expiresAt = secondsFromNow(refreshSeconds)
  const { keyId } = await makeKeyIn(tx, { kind: 'con', accountId, name, scope, monthlyCapMicroUsd, expiresAt })
  const refresh = newRefreshToken()
  const { count } = await tx.oAuthGrant.updateMany({
    where: { id, connectorId: null },
    data: { connectorId: keyId, familyHash: refresh.hash, refreshHash: refresh.hash },
  })
  if (count === 0) throw new UsedBeforeError()
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
