import { createHmac } from 'node:crypto'
import { isSameSecret, type SigningConfig, type SigningKey, signingKeysOf } from '../core/signing-secret.ts'

/** The secrets that better-auth signs with, derived from the signing keys; the current one first. */
export function signInSecretsOf(config: SigningConfig): readonly [string, ...string[]] {
  const [current, ...others] = signingKeysOf(config)
  return [signInSecretOf(current), ...others.map(signInSecretOf)]
}

function signInSecretOf({ secret }: SigningKey): string {
  return createHmac('sha256', secret).update('sign-in').digest('base64url')
}

/** Returns `value.signature` signed with the current secret, if another one signed it; other texts unchanged. */
export type RenewSignature = (text: string, encoding: 'base64' | 'base64url') => string

/** better-auth's own rotation (its option `secrets`) covers what it encrypts. It checks signatures with its first secret only. */
export function createSignatureRenewal([current, ...others]: readonly [string, ...string[]]): RenewSignature {
  return (text, encoding) => {
    const dot = text.lastIndexOf('.')
    const value = text.slice(0, dot)
    const signedWith = (secret: string) => `${value}.${createHmac('sha256', secret).update(value).digest(encoding)}`
    return others.some((secret) => isSameSecret(text, signedWith(secret))) ? signedWith(current) : text
  }
}
