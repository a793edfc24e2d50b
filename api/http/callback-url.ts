import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { type NewCallback, newCallback } from '../../src/webhooks/callbacks.ts'
import { parseWebhookUrl } from '../../src/webhooks/send-webhook.ts'
import type { ApiContext } from './context.ts'

export const callbackUrl = z
  .string()
  .max(2048)
  .optional()
  .describe(
    'An https URL that gets the event of its end, as webhook endpoints do, signed with the callback secret of the API key.',
  )

/** Throws `invalid_request` for a URL to which nothing is sent, or without an API key, whose secret signs. */
export function callbackFor(
  { config }: Pick<ApiContext, 'config'>,
  { keyId, callbackSecret }: Credential,
  text: string | undefined,
): NewCallback | undefined {
  if (text === undefined) return undefined
  const url = parseWebhookUrl(text, config.WEBHOOK_ALLOW_HOSTS, 'callback_url').href
  if (keyId === null || callbackSecret === undefined)
    throw new ServiceError(
      'invalid_request',
      'callback_url: send the request with an API key, whose secret signs the callback.',
    )
  return newCallback(config, { keyId, url, secret: callbackSecret() })
}
