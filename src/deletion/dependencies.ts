import type { Logger } from 'pino'
import type { BillingProvider } from '../billing/provider/provider.ts'
import type { Storage } from '../storage/storage.ts'
import type { Database } from '../store/database.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { JobClient } from '../temporal/job-client.ts'

/** What the API and upkeep erase with. */
export interface DeletionDependencies {
  readonly db: Database
  readonly storage: Storage
  readonly jobs: Pick<JobClient, 'cancel'>
  readonly billing: Pick<BillingProvider, 'forgetCustomer'>
  readonly metrics: Metrics
  readonly logger: Pick<Logger, 'warn'>
}
