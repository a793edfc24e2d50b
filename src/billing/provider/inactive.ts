import { ServiceError } from '../../core/errors.ts'
import type { BillingProvider } from './provider.ts'

/** Nobody: accounts have their free credits and nothing more. */
export const inactiveProvider: BillingProvider = {
  createLink: async () => {
    throw new ServiceError(
      'endpoint_unavailable',
      'This service has no billing. Accounts can spend only their free credits.',
    )
  },
}
