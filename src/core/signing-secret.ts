import { timingSafeEqual } from 'node:crypto'

/** Signs for a local stack, which then needs no set-up. It is published, so `SIGNING_SECRET` may not be it. */
export const developmentSecret = 'development-only-signing-secret-0000'

/** 16 random bytes as hex, the shortest secret that cannot be guessed. */
const minLength = 32
/** 32 random hex digits have fewer different characters once in 25 million times; secrets that people type often have fewer. */
const minKinds = 8

/** Why the secret could be guessed; undefined if it looks random. */
export function weaknessOf(secret: string): string | undefined {
  if (secret === developmentSecret) return 'is the published secret of development'
  if (secret.length < minLength) return `must be at least ${minLength} characters`
  if (new Set(secret).size < minKinds) return `has fewer than ${minKinds} different characters`
  if (/^(.+?)\1+$/s.test(secret)) return 'repeats itself'
  return undefined
}

export interface SigningKey {
  /** Part of the signature, so that several keys can be valid simultaneously. */
  readonly keyId: string
  readonly secret: string
}

export interface SigningConfig {
  readonly SIGNING_KEY_ID: string
  readonly SIGNING_SECRET: string
  readonly OTHER_SIGNING_SECRET?: SigningKey | undefined
}

/** The key that signs, then the other key, whose signatures are valid too. */
export function signingKeysOf(config: SigningConfig): readonly [SigningKey, ...SigningKey[]] {
  const { SIGNING_KEY_ID: keyId, SIGNING_SECRET: secret, OTHER_SIGNING_SECRET: other } = config
  return [{ keyId, secret }, ...(other ? [other] : [])]
}

/** Compares a signature, or a text that contains one, in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
