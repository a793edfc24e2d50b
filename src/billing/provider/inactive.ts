import { ServiceError } from '../../core/errors.ts'
import type { BillingProvider } from './provider.ts'

/** Nobody: accounts have their free credits and nothing more. */
export const inactiveProvider: BillingProvider = {
  createLink: async () => {
    throw new ServiceError(
      'endpoint_unavailable',
      'Billing is not configured on this service: the free credits are all that can be spent.',
    )
  },
}
