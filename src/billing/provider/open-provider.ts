import type { Config } from '../../config.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Database } from '../../store/database.ts'
import { embeddedProvider } from './embedded.ts'
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
