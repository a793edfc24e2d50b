import { z } from 'zod'
import { provisionalHoldMicroUsd } from '../../src/billing/holds.ts'
import { idPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { toUsd } from '../../src/core/money.ts'
import { keyScopes } from '../../src/core/scopes.ts'
import { type ApiKey, publicPart } from '../../src/store/keys.ts'
import { amountUsd, name, requestId } from '../http/schemas.ts'

export const keySchema = z
  .object({
    id: z.string().regex(idPattern('key')),
    name: z.string(),
    scope: z.string().describe('all, or one group of endpoints, such as video/*.'),
    prefix: z.string().describe('The first characters of the secret. The whole secret is never shown again.'),
    last_four: z.string().describe('The last four characters of the secret.'),
    monthly_cap_usd: z
      .number()
      .nullable()
      .describe(
        'The maximum that a month can cost for its jobs, and for those of the keys that it creates. null: no cap of its own.',
      ),
    may_raise_limits: z.boolean().describe('Whether it may raise caps. Every key with the scope all may lower them.'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().optional().describe('To the minute.'),
    expires_at: z.iso.datetime().optional(),
    revoked_at: z.iso.datetime().optional(),
  })
  .meta({ id: 'Key' })

export const keyEnvelope = z.object({ request_id: requestId, key: keySchema }).meta({ id: 'KeyEnvelope' })

export const newKeyEnvelope = z
  .object({
    request_id: requestId,
    key: keySchema,
    secret: z.string().describe('The whole API key. Store it now: it is shown only once.'),
  })
  .meta({ id: 'NewKeyEnvelope' })

export const keyList = z
  .object({ request_id: requestId, keys: z.array(keySchema).describe('Revoked keys come last.') })
  .meta({ id: 'KeyList' })

export const keyParams = z.object({ key_id: z.string().meta({ pattern: idPattern('key').source }) })

export const keyRequest = strictFields({
  name: name.describe('A name to recognize the key by.'),
  scope: z
    .enum(keyScopes)
    .default('all')
    .describe('The endpoints that the key can call. Only the scope all gives access to the account itself.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .refine((text) => new Date(text).getUTCFullYear() < 10_000, 'must be before the year 10000')
    .optional()
    .describe('The key never expires when left out.'),
  monthly_cap_usd: amountUsd
    .nullable()
    .default(null)
    .describe(
      `The maximum that a month can cost for its jobs, and for those of the keys that it creates. When left out, the cap of the key that creates it. A job holds ${toUsd(provisionalHoldMicroUsd)} USD of the cap until the length of its media is known: with less left, only jobs run whose price is known when they are created, such as clips with start and end; others are refused with spend_cap_reached.`,
    ),
  may_raise_limits: z
    .boolean()
    .default(false)
    .describe('Whether the key may raise caps, of keys and of the account. A key without this right cannot give it.'),
}).meta({ id: 'KeyRequest', examples: [{ name: 'render farm', scope: 'video/*', monthly_cap_usd: 20 }] })

export const keyChange = strictFields({
  name: name.optional(),
  monthly_cap_usd: amountUsd.nullable().optional().describe('null removes the cap. Left out: unchanged.'),
})
  .refine((change) => Object.keys(change).length > 0, 'send name or monthly_cap_usd')
  .meta({ id: 'KeyChange', minProperties: 1, examples: [{ name: 'render farm' }] })

export function presentKey(key: ApiKey) {
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = key
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    prefix: publicPart(key),
    last_four: key.lastFour,
    monthly_cap_usd: key.monthlyCapMicroUsd === null ? null : toUsd(key.monthlyCapMicroUsd),
    may_raise_limits: key.mayRaiseLimits,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString(),
    expires_at: expiresAt?.toISOString(),
    revoked_at: revokedAt?.toISOString(),
  }
}
