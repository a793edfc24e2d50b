import type { BillingProvider } from '../billing/provider/provider.ts'
import type { CancellationDependencies } from '../jobs/deliver-cancellation.ts'
import type { Storage } from '../storage/storage.ts'

/** What the API and upkeep erase with. */
export interface DeletionDependencies extends CancellationDependencies {
  readonly storage: Storage
  readonly billing: Pick<BillingProvider, 'forgetCustomer'>
}
