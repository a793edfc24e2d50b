import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Received } from './receiver.ts'

/** Whether the secret signed the request, as Standard Webhooks 1.0 verifies it; written from its specification. */
export function isSignedWith(
  secret: string,
  { headers, body }: Pick<Received, 'headers' | 'body'>,
  now = Date.now(),
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (Math.abs(now / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.${body}`)
    .digest()
  return String(signatures)
    .split(' ')
    .some((each) => {
      const [version, signature = ''] = each.split(',')
      const given = Buffer.from(signature, 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
}
