import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { type SigningConfig, type SigningKey, signingKeysOf } from '../core/signing-secret.ts'

/** A secret of the form that Standard Webhooks states: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

interface SignedMessage {
  /** The id of the event: the same in every attempt. */
  readonly id: string
  readonly body: string
  readonly at: Date
}

/** The headers that prove who sent the body, and when. During a rotation, each valid secret signs. */
export function signatureHeaders(
  secrets: readonly string[],
  { id, body, at }: SignedMessage,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}

// A secret must be readable to sign with it, so it is stored encrypted: a copy of the database alone signs nothing.

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Seals a secret for one owner, such as a webhook endpoint: it opens for no other. */
export function sealSecret(config: SigningConfig, ownerId: string, secret: string): string {
  const [current] = signingKeysOf(config)
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, sealingKey(current), iv).setAAD(Buffer.from(ownerId))
  const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${current.keyId}.${sealed.toString('base64')}`
}

/** Throws if neither signing secret sealed it. */
export function openSecret(config: SigningConfig, ownerId: string, sealed: string): string {
  const dot = sealed.lastIndexOf('.')
  const key = signingKeysOf(config).find(({ keyId }) => keyId === sealed.slice(0, dot))
  if (!key) throw new Error(`the secret of ${ownerId} is sealed with a signing secret that this process does not have`)
  const bytes = Buffer.from(sealed.slice(dot + 1), 'base64')
  const decipher = createDecipheriv(algorithm, sealingKey(key), bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(ownerId))
    .setAuthTag(bytes.subarray(-tagBytes))
  return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

function sealingKey({ secret }: SigningKey): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'webhook-secrets/1', 32))
}
