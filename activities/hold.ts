import { maxPriceOf } from '../src/billing/price.ts'
import { withoutRetry } from '../src/core/errors.ts'
import type { MicroUsd } from '../src/core/money.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import { holdEstimate } from '../src/jobs/hold-estimate.ts'
import { mediaInfoOf } from '../src/store/job-documents.ts'
import type { Job } from '../src/store/jobs.ts'
import { countingLedgerErrors } from '../src/telemetry/measure-jobs.ts'
import type { Dependencies } from './dependencies.ts'

export interface HoldInput {
  readonly jobId: string
}

/** Fits the hold to the price of the inspected media, before any work is done. */
export async function holdPrice({ db, metrics }: Dependencies, { jobId }: HoldInput): Promise<void> {
  await countingLedgerErrors(metrics, 'hold', () => holdEstimate(db, jobId, estimateOf))
}

/** The maximum price of a job whose media was inspected. */
export function estimateOf(job: Job): MicroUsd {
  return withoutRetry(() => maxPriceOfJob(job))
}

function maxPriceOfJob(job: Job): MicroUsd {
  const { settings, rateMicroUsdPerMinute } = job
  const mediaSeconds = mediaInfoOf(job)?.durationSeconds
  const max = maxPriceOf(liveEndpoint(job.endpoint), { window: job, settings, mediaSeconds, rateMicroUsdPerMinute })
  if (!max) throw new Error(`${job.id} was not inspected`)
  return max.microUsd
}
