import { createHmac, timingSafeEqual } from 'node:crypto'
import { MediaTimelineError } from './errors.ts'
import { trusted } from './http.ts'

/** The headers of a request, as Node's `request.headers`, a `Headers` or a plain object has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** What the service calls a webhook endpoint with. */
export interface WebhookEvent {
  /** Such as `job.completed`. */
  readonly type: string
  readonly timestamp: string
  readonly api_version: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The headers of a signed request, as the service sends it. */
export function signWebhook(id: string, body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = signatureOf({ id, timestamp, body, secret }).toString('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

/** The secret that signs the callbacks (`callback_url`) of an API key. */
export function callbackSecretOf(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('callbacks').digest('base64')}`
}

interface Signed {
  readonly id: string
  readonly timestamp: string
  readonly body: string | Uint8Array
  readonly secret: string
}

function signatureOf({ id, timestamp, body, secret }: Signed): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  // Everybody can sign with an empty key, such as that of a variable that is not set.
  if (key.length === 0)
    throw new MediaTimelineError('The secret is empty. Give the one that the webhook endpoint was created with.')
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
}

export class WebhookSignatureError extends MediaTimelineError {
  override readonly name = 'WebhookSignatureError'
}

/** A replayed request is refused once it is this old. */
const toleranceSeconds = 300

/**
 * The event of a request, if the service sent it: signed with `secret` as Standard Webhooks 1.0 describes, within five minutes.
 * `body` is the text that arrived, before any parser. Throws `WebhookSignatureError` for every other request.
 */
export function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string): WebhookEvent {
  const header = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    return typeof value === 'string' ? value : ''
  }
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp)) throw new WebhookSignatureError('The request is not signed.')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookSignatureError('The request is more than five minutes old, or the clock of this machine is wrong.')
  const expected = signatureOf({ id, timestamp, body, secret })
  const isSigned = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isSigned) throw new WebhookSignatureError('The signature does not match the secret.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  return trusted<WebhookEvent>(JSON.parse(text))
}
