import type { Config } from '../../config.ts'
import { ServiceError } from '../../core/errors.ts'
import { embeddedProvider } from './embedded.ts'
import type { BillingProvider } from './provider.ts'

/** The provider that BILLING names. A provider that takes real money gets its case here. */
export function openBillingProvider(config: Pick<Config, 'BILLING' | 'BASE_URL' | 'SIGNING_SECRET'>): BillingProvider {
  switch (config.BILLING) {
    case 'inactive':
      return inactiveProvider
    case 'embedded':
      return embeddedProvider(config)
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
