import { createHmac } from 'node:crypto'
import { isSameSecret, type SigningConfig, type SigningKey, signingKeysOf } from '../../src/core/signing-secret.ts'

/** A person who reads the consent page for longer opens it again. */
const validMilliseconds = 600_000

/** What the consent form carries: the authorization request that its reader saw, in the session that saw it. */
export interface SignedForm {
  /** The query of the authorization request. */
  readonly request: string
  /** Milliseconds since 1970. */
  readonly until: string
  readonly signature: string
}

export function signForm(config: SigningConfig, sessionId: string, request: string): SignedForm {
  const until = String(Date.now() + validMilliseconds)
  return { request, until, signature: sign(signingKeysOf(config)[0], sessionId, { request, until }) }
}

/** Whether the form was made for the session, and not long ago. */
export function isSignedForm(config: SigningConfig, sessionId: string, { signature, ...form }: SignedForm): boolean {
  const isSigned = signingKeysOf(config).some((key) => isSameSecret(signature, sign(key, sessionId, form)))
  return isSigned && Date.now() < Number(form.until)
}

function sign({ secret }: SigningKey, sessionId: string, { request, until }: Omit<SignedForm, 'signature'>): string {
  const text = JSON.stringify(['oauth-consent/1', sessionId, until, request])
  return createHmac('sha256', secret).update(text).digest('base64url')
}
