import type { Config } from '../../config.ts'
import { embeddedProvider } from './embedded.ts'
import { inactiveProvider } from './inactive.ts'
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
