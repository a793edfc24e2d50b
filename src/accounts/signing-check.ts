import { createHmac } from 'node:crypto'
import { isSameSecret, type SigningConfig, type SigningKey, signingKeysOf } from '../core/signing-secret.ts'
import type { Database } from '../db/database.ts'

/** The only row. */
const id = 1

/** Records the secret that the service signs with, as a keyed hash. Every API calls it before it listens. */
export async function recordSigningSecret(db: Database, config: SigningConfig): Promise<void> {
  const hash = checkOf(config)
  await db.signingCheck.upsert({ where: { id }, create: { id, hash }, update: { hash } })
}

/**
 * Throws unless the service signs with the secret of this process: the service would not find mailboxes that are hashed with
 * another one. Before an API has started on the database, it compares with nothing.
 */
export async function assertSigningSecret(db: Database, config: SigningConfig): Promise<void> {
  const service = await db.signingCheck.findUnique({ where: { id } })
  if (!service || isSameSecret(service.hash, checkOf(config))) return
  throw new Error(
    'SIGNING_SECRET: is not the secret that the service signs with, so the service would not find the mailbox. Nothing was changed. Run the command with the SIGNING_SECRET of the API',
  )
}

function checkOf({ SIGNING_SECRET: secret }: SigningConfig): string {
  return createHmac('sha256', secret).update('signing-check/1').digest('base64url')
}

/** The secrets that better-auth signs with, derived from the signing keys; the current one first. */
export function signInSecretsOf(config: SigningConfig): readonly [string, ...string[]] {
  const [current, ...others] = signingKeysOf(config)
  return [signInSecretOf(current), ...others.map(signInSecretOf)]
}

function signInSecretOf({ secret }: SigningKey): string {
  return createHmac('sha256', secret).update('sign-in').digest('base64url')
}

/** Returns `value.signature` signed with the current secret, if another one signed it; other texts unchanged. */
type RenewSignature = (text: string, encoding: 'base64' | 'base64url') => string

/** better-auth's own rotation (its option `secrets`) covers what it encrypts. It checks signatures with its first secret only. */
export function createSignatureRenewal([current, ...others]: readonly [string, ...string[]]): RenewSignature {
  return (text, encoding) => {
    const dot = text.lastIndexOf('.')
    const value = text.slice(0, dot)
    const signedWith = (secret: string) => `${value}.${createHmac('sha256', secret).update(value).digest(encoding)}`
    return others.some((secret) => isSameSecret(text, signedWith(secret))) ? signedWith(current) : text
  }
}
