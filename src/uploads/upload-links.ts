import { createHmac } from 'node:crypto'
import { isSameSecret, type SigningConfig, type SigningKey, signingKeysOf } from '../core/signing-secret.ts'

/** What a link to the page of an upload says. */
export interface UploadLink {
  readonly uploadId: string
  /** The largest file that the page sends. */
  readonly maxBytes: number
  readonly expiresAt: Date
}

/** The end of the address of an upload's page: whoever has it may send the file. */
export function signUploadLink(config: SigningConfig, { uploadId, maxBytes, expiresAt }: UploadLink): string {
  const [current] = signingKeysOf(config)
  const text = `${uploadId}.${maxBytes}.${Math.floor(expiresAt.getTime() / 1000)}`
  return `${text}.${signatureOf(current, text)}`
}

/** Undefined for a token that was changed or has expired. */
export function readUploadLink(config: SigningConfig, token: string): UploadLink | undefined {
  const [uploadId = '', maxBytes = '', expires = '', signature = '', ...more] = token.split('.')
  const text = `${uploadId}.${maxBytes}.${expires}`
  const isSigned = signingKeysOf(config).some((key) => isSameSecret(signature, signatureOf(key, text)))
  const expiresAt = new Date(Number(expires) * 1000)
  if (!isSigned || more.length > 0 || expiresAt <= new Date()) return undefined
  return { uploadId, maxBytes: Number(maxBytes), expiresAt }
}

function signatureOf({ secret }: SigningKey, text: string): string {
  return createHmac('sha256', secret).update(`upload-link/1\n${text}`).digest('base64url')
}
