import { maxPriceOf, type PricedEndpoint } from '../billing/price.ts'
import type { NewJob } from './insert-job.ts'

type JobWork = Pick<NewJob, 'jobId' | 'window' | 'settings' | 'givenSettings' | 'warnings' | 'reference'>

interface JobToAccept extends JobWork {
  readonly endpoint: PricedEndpoint & { readonly id: string }
  /** Undefined while the media has not been read. */
  readonly mediaSeconds: number | undefined
}

/** What a job does, with the price that it keeps and holds. */
export type PricedJob = JobWork & Pick<NewJob, 'endpoint' | 'rateMicroUsdPerMinute' | 'maxPriceMicroUsd'>

/** Prices a job at its endpoint's current rate. */
export function pricedJob({ endpoint, mediaSeconds, ...job }: JobToAccept): PricedJob {
  const { window, settings } = job
  return {
    ...job,
    endpoint: endpoint.id,
    rateMicroUsdPerMinute: endpoint.price.rateMicroUsdPerMinute,
    maxPriceMicroUsd: maxPriceOf(endpoint, { window, settings, mediaSeconds })?.microUsd,
  }
}
