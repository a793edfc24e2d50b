import { createHash, timingSafeEqual } from 'node:crypto'
import { newId, randomText } from '../core/ids.ts'
import type { Database } from './database.ts'

const tokenPattern = /^mt_live_([a-zA-Z0-9]{24})_([a-zA-Z0-9]{43})$/

export interface Credential {
  readonly keyId: string
  readonly accountId: string
  readonly scope: string
}

/** Makes a key. `token` is the only time the secret is seen: `mt_live_<id>_<secret>`. */
export async function createKey(
  db: Database,
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<{ readonly keyId: string; readonly token: string }> {
  const keyId = newId('key')
  const secret = randomText(43)
  await db.apiKey.create({
    data: { id: keyId, accountId, name, secretHash: hashOf(secret), lastFour: secret.slice(-4) },
  })
  return { keyId, token: `mt_live_${keyId.slice('key_'.length)}_${secret}` }
}

/** Who a token speaks for; undefined when it is wrong, revoked or expired. Reads the row each time, so revocation is immediate. */
export async function authenticate(db: Database, token: string): Promise<Credential | undefined> {
  const [, id, secret] = tokenPattern.exec(token) ?? []
  if (!id || !secret) return undefined
  const key = await db.apiKey.findUnique({ where: { id: `key_${id}` } })
  if (!key || !timingSafeEqual(key.secretHash, hashOf(secret))) return undefined
  if (key.revokedAt || (key.expiresAt && key.expiresAt <= new Date())) return undefined
  return { keyId: key.id, accountId: key.accountId, scope: key.scope }
}

// The secret is 256 random bits, so a plain hash is as strong as a slow one and costs a request nothing.
function hashOf(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}
