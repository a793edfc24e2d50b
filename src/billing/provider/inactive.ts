import { ServiceError } from '../../core/errors.ts'
import type { BillingProvider } from './provider.ts'

/** No provider: accounts have only their free credits. */
export const inactiveProvider: BillingProvider = {
  createLink: async () => {
    throw new ServiceError(
      'endpoint_unavailable',
      'This service has no billing. Accounts can spend only their free credits.',
    )
  },
}
