import { createHmac } from 'node:crypto'
import type { Config } from '../../config.ts'
import { ServiceError } from '../../core/errors.ts'
import { isSameSecret } from '../../core/signing-secret.ts'
import { dayMs } from '../../core/time-code.ts'
import type { Database } from '../../db/database.ts'
import type { BillingProvider } from './provider.ts'

/** The provider that BILLING names. Only a process that uses Stripe loads its package. */
export async function openBillingProvider(config: Config, db: Database): Promise<BillingProvider> {
  switch (config.BILLING) {
    case 'inactive':
      return inactiveProvider
    case 'embedded':
      return embeddedProvider(config)
    case 'stripe':
      return (await import('./stripe/stripe-provider.ts')).stripeProvider(config, db)
  }
}

/** No provider: accounts have only their free credits. */
const inactiveProvider: BillingProvider = {
  createLink: async () => {
    throw new ServiceError(
      'endpoint_unavailable',
      'This service has no billing. Accounts can spend only their free credits.',
    )
  },
}

const linkSeconds = 3600

/** The contents of a link whose signature and expiry were checked. */
interface EmbeddedLink {
  readonly accountId: string
}

interface EmbeddedProvider extends BillingProvider {
  /** Undefined for a token that was changed or has expired. */
  readLink(token: string): EmbeddedLink | undefined
}

/** A stand-in for development: its links lead to a page of this service, and no money moves. */
export function embeddedProvider({
  BASE_URL,
  SIGNING_SECRET,
}: Pick<Config, 'BASE_URL' | 'SIGNING_SECRET'>): EmbeddedProvider {
  const sign = (text: string) =>
    createHmac('sha256', SIGNING_SECRET).update(`billing-link/1\n${text}`).digest('base64url')
  return {
    createLink: async (accountId) => {
      const text = `${accountId}.${Math.floor(Date.now() / 1000) + linkSeconds}`
      return { url: `${BASE_URL}/billing/${text}.${sign(text)}`, expiresInSeconds: linkSeconds }
    },
    readLink: (token) => {
      const [accountId = '', expires = '', signature = ''] = token.split('.')
      if (!isSameSecret(signature, sign(`${accountId}.${expires}`)) || Number(expires) * 1000 <= Date.now())
        return undefined
      return { accountId }
    },
  }
}

/** Stripe repeats an event for three days, and operators can resend those of the last 30. */
const keptMilliseconds = 60 * dayMs

/** Deletes the ids of up to `limit` old events, and returns their number. */
export async function deleteOldBillingEvents(db: Database, limit: number): Promise<number> {
  const { count } = await db.billingEvent.deleteMany({
    where: { createdAt: { lt: new Date(Date.now() - keptMilliseconds) } },
    limit,
  })
  return count
}
