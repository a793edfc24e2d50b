import type { z } from 'zod'
import type { Credential } from '../accounts/credentials.ts'
import { provisionalHoldMicroUsd } from '../billing/holds.ts'
import type { Chain } from '../chains/chains.ts'
import { type settingsByStep, stepJobId, stepRequest } from '../chains/step-request.ts'
import type { Config } from '../config.ts'
import type { MicroUsd } from '../core/money.ts'
import type { JobWindow } from '../core/segments.ts'
import { type acceptRun, pricedJob } from '../jobs/accept.ts'
import type { SlotLimits } from '../jobs/admission.ts'
import { columnsOf, type MediaReference, type Metadata } from '../jobs/job-rows.ts'

/** What bounds the jobs of an account. */
export interface AcceptLimits {
  readonly config: Pick<Config, 'WAITING_JOBS_PER_ACCOUNT' | 'UNPAID_JOB_BYTES_PER_ACCOUNT'>
  readonly slotLimits: SlotLimits
}

interface NewRun {
  readonly runId: string
  readonly chain: Chain
  readonly credential: Pick<Credential, 'accountId' | 'keyId'>
  readonly requestId: string
  readonly window: JobWindow
  /** By step, with names that the steps know. */
  readonly settings: z.output<typeof settingsByStep>
  readonly metadata: Metadata | undefined
  readonly reference: MediaReference
  /** Undefined if nothing has read the media. */
  readonly mediaSeconds: number | undefined
  readonly limitMicroUsd: MicroUsd
  readonly warnings: readonly string[]
  readonly traceParent: string | undefined
}

/** A run and its first job, for `acceptRun`. */
export function newRun({ config, slotLimits }: AcceptLimits, input: NewRun): Parameters<typeof acceptRun>[1] {
  const { runId, chain, requestId, window, settings, metadata, reference, mediaSeconds, limitMicroUsd } = input
  const { accountId, keyId: apiKeyId } = input.credential
  const first = stepRequest(chain, { position: 0, window, settings, earlier: {} })
  if (!first) throw new Error(`${chain.id} has no step`)
  const job = pricedJob({ ...first, jobId: stepJobId(runId, 0), mediaSeconds, reference })
  // Less than the provisional hold may be all that the run may cost.
  const held = limitMicroUsd < provisionalHoldMicroUsd ? limitMicroUsd : undefined
  return {
    run: {
      ...{ id: runId, accountId, apiKeyId, requestId, chain: chain.id, settings, ...window },
      warnings: [...input.warnings],
      ...columnsOf(reference),
      ...(metadata ? { metadata } : {}),
      mediaSeconds: mediaSeconds ?? null,
      limitMicroUsd,
      traceParent: input.traceParent ?? null,
    },
    firstJob: {
      ...job,
      maxPriceMicroUsd: job.maxPriceMicroUsd ?? held,
      ...{ accountId, apiKeyId, requestId, metadata, slotLimits, traceParent: input.traceParent },
      maxWaitingJobs: config.WAITING_JOBS_PER_ACCOUNT,
      maxUnpaidBytes: config.UNPAID_JOB_BYTES_PER_ACCOUNT,
    },
  }
}
