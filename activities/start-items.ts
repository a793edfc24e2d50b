import { Context } from '@temporalio/activity'
import {
  claimItem,
  findFinishedBatches,
  findNextItem,
  type PassedOver,
  refuseItem,
  type WaitingItem,
  writeBatchEnd,
} from '../src/batches/items.ts'
import { newRun } from '../src/batches/new-run.ts'
import { getChain } from '../src/chains/chains.ts'
import { settingsByStep } from '../src/chains/step-request.ts'
import { errorTable, ServiceError } from '../src/core/errors.ts'
import { derivedId } from '../src/core/ids.ts'
import { isUnreachable, lockAccount } from '../src/db/database.ts'
import { wholeMedia } from '../src/endpoints/parse-settings.ts'
import { acceptRun } from '../src/jobs/accept.ts'
import { slotsOf } from '../src/jobs/admission.ts'
import { metadataOf } from '../src/jobs/job-rows.ts'
import { resolveMedia } from '../src/jobs/resolve-media.ts'
import { startJob } from '../src/jobs/start-and-end.ts'
import { countingLedgerErrors } from '../src/telemetry/metrics.ts'
import type { StartItemsInput } from '../src/temporal/job-client.ts'
import { startDueWork } from '../src/webhooks/deliveries.ts'
import type { Dependencies } from './dependencies.ts'
import { whileBeating } from './worker/run-activity.ts'

export interface StartItemsResult {
  /** Undefined if nothing waits but for the end of open runs. */
  readonly nextInMs?: number
}

const turnMilliseconds = 45_000
/** After a refusal that passes, such as too many waiting jobs. */
const busyMilliseconds = 15_000

/** Starts waiting items of the account's batches and directives, up to half of its slots, and ends batches of which all items have ended. */
export async function startItems(deps: Dependencies, { accountId }: StartItemsInput): Promise<StartItemsResult> {
  const began = performance.now()
  const passedOver: PassedOverInTurn = { batches: [], items: [] }
  const whenItemsWait = () => (passedOver.items.length > 0 ? { nextInMs: busyMilliseconds } : undefined)
  return whileBeating(async (signal) => {
    while (performance.now() - began < turnMilliseconds) {
      signal.throwIfAborted()
      await endBatches(deps, accountId)
      const item = await nextItem(deps, accountId, passedOver)
      if (!item) return whenItemsWait() ?? {}
      if (!(await startItem(deps, item, passedOver))) return { nextInMs: busyMilliseconds }
    }
    return whenItemsWait() ?? { nextInMs: 0 }
  })
}

interface PassedOverInTurn {
  /** Batches whose open runs hold what the next one needs. */
  readonly batches: string[]
  /** Items that cannot be started yet, such as those whose stored media cannot be read for the moment. */
  readonly items: bigint[]
}

async function nextItem({ db, slotLimits }: Dependencies, accountId: string, except: PassedOver) {
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId } })
  if (account.suspendedAt || account.deletedAt) return undefined
  // The other half is for what the account asks for meanwhile.
  const maxOpen = Math.max(1, Math.floor(slotsOf(account, slotLimits) / 2))
  return findNextItem(db, accountId, { maxOpen, except })
}

/** Starts the run of an item, records why it has none, or passes it over. False if none can be started for the moment. */
async function startItem(deps: Dependencies, item: WaitingItem, passedOver: PassedOverInTurn): Promise<boolean> {
  const { id, batchId, accountId, open } = item
  try {
    await acceptItem(deps, item)
  } catch (error) {
    if (!(error instanceof ServiceError)) return refuseAtLast(deps, item, error)
    const { code, message, retryable } = error
    if (code === 'rate_limited') return false
    if (retryable) {
      deps.logger.warn({ accountId, batchId, err: error }, 'item of a batch not started yet')
      passedOver.items.push(id)
    } else if (open > 0 && (code === 'spend_cap_reached' || code === 'billing_required'))
      passedOver.batches.push(batchId)
    // It waits until its account is resumed.
    else if (code !== 'account_suspended') await refuseItem(deps.db, item, { code, message })
  }
  return true
}

/** What fails always must not stop other items for ever. */
async function refuseAtLast({ db, logger }: Dependencies, item: WaitingItem, error: unknown): Promise<never> {
  const { batchId, accountId } = item
  if (Context.current().info.attempt >= lastAttempt && !isUnreachable(error)) {
    logger.error({ accountId, batchId, err: error }, 'item of a batch not started')
    await refuseItem(db, item, { code: 'server_error', message: errorTable.server_error.message })
  }
  throw error
}

/** Of the activity: `startItemsOptions`. */
const lastAttempt = 5

async function acceptItem(deps: Dependencies, item: WaitingItem): Promise<void> {
  const { db, metrics, tracing } = deps
  const { id, batchId, accountId, requestId, limitMicroUsd, tries } = item
  const mediaUrl = item.uploadId === null ? item.mediaUrl : `${deps.config.BASE_URL}/v1/media/${item.uploadId}`
  const reference = await resolveMedia(deps, accountId, mediaUrl ?? undefined)
  const run = newRun(deps, {
    ...{ runId: derivedId('run', String(id), tries), chain: getChain(item.chain), requestId, window: wholeMedia },
    ...{ credential: { accountId, keyId: batchId }, settings: settingsByStep.parse(item.settings), reference },
    ...{ metadata: metadataOf(item), mediaSeconds: undefined, limitMicroUsd, warnings: [] },
    traceParent: tracing.traceParent(),
  })
  const claim = acceptRun(db, { ...run, claim: (tx) => claimItem(tx, id, run.run.id) })
  const { job } = await countingLedgerErrors(metrics, 'accept', () => claim)
  if (!job) return
  metrics.jobsCreated.inc({ endpoint: job.endpoint })
  if (!job.admittedAt) return
  await startJob(deps, job).catch((error: unknown) =>
    deps.logger.warn({ jobId: job.id, accountId, err: error }, 'job not started yet'),
  )
}

async function endBatches(deps: Dependencies, accountId: string): Promise<void> {
  const { db } = deps
  for (const { id } of await findFinishedBatches(db, accountId)) {
    const endpointIds = await db.$transaction(async (tx) => {
      await lockAccount(tx, accountId)
      return writeBatchEnd(tx, await tx.batch.findUniqueOrThrow({ where: { id } }))
    })
    await startDueWork(deps, { accountId, endpointIds })
  }
}
