import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { FinishInput, FinishResult } from '../activities/finish.ts'
import type { Activities, MediaActivities, ShortActivities, SourceActivities } from '../activities/index.ts'
import type { InspectedMedia } from '../activities/inspect.ts'
import type { ReuseResult } from '../activities/reuse.ts'
import type { InspectAndRunResult } from '../activities/short-job.ts'
import {
  describeJobForOperators,
  inspectAndRunOptions,
  inspectOptions,
  type MediaLocation,
  reuseOptions,
  runOptions,
  transactionOptions,
} from './activity-options.ts'
import { untilNotDeferred } from './deferral.ts'
import { canceledFailure, describeFailure, endingOf, indexFailure, type JobFailure } from './failure.ts'
import { runParts } from './parts.ts'

export interface MediaJobInput {
  readonly jobId: string
}

export interface MediaJobResult {
  readonly outcome: 'completed' | 'already_ended'
}

const { hold, finish } = proxyLocalActivities<Activities>(transactionOptions)
const { inspectAndRun } = proxyActivities<ShortActivities>(inspectAndRunOptions)
const { reuse } = proxyLocalActivities<Activities>(reuseOptions)

/**
 * A job's life. If the job reads no media, or earlier analyses suffice, the activity `reuse` does all of it. Every other job inspects
 * the media, holds the price, runs and finishes. For a short job on media on a local disk, one activity does all four. Before
 * `run` of a long job, all workers make parts, which `run` puts together. A canceled or failed job costs nothing.
 */
export async function mediaJob({ jobId }: MediaJobInput): Promise<MediaJobResult> {
  if (workflowInfo().workflowId !== jobId) {
    throw ApplicationFailure.nonRetryable('A job runs only under its own id.', 'invalid_request')
  }
  const ended = await workAndSettle(jobId).catch(async (error: unknown) => {
    const failure = describeFailure(error)
    await settle({ jobId, failure })
    showFailure(failure)
    throw endingOf(error, failure)
  })
  if (ended !== 'canceled') return { outcome: ended }
  showFailure(canceledFailure)
  // Not a CancelledFailure: Temporal shows Canceled only if it knows of the request.
  throw ApplicationFailure.nonRetryable(canceledFailure.message, canceledFailure.code)
}

/** `canceled`: the row was settled by a cancellation that had not reached Temporal. */
async function workAndSettle(jobId: string): Promise<MediaJobResult['outcome'] | 'canceled'> {
  const reused = await tryReuse(jobId)
  if (reused.isAnswered) return endOf(reused)
  const { isStored, isOnDisk } = reused

  setCurrentDetails(describeJobForOperators(isOnDisk ? 'inspectAndRun' : 'inspect'))
  const { inspect } = proxyActivities<SourceActivities>(inspectOptions({ isStored }))
  const inspected = await untilNotDeferred<InspectAndRunResult>((turn) =>
    isOnDisk && turn === 0 ? inspectAndRun({ jobId, turn }) : inspect({ jobId, turn }),
  )
  const { finished } = inspected
  if (finished) return endOf(finished)
  if (inspected.jobEnded) return 'already_ended'
  await holdAndRun(jobId, { ...inspected, isStored })
  return endOf(await settle({ jobId }))
}

/** Ends the job. Cancellation does not interrupt it. */
function settle(input: FinishInput): Promise<FinishResult> {
  return CancellationScope.nonCancellable(() => finish(input))
}

function endOf({ isCompleted }: FinishResult): 'completed' | 'canceled' {
  if (!isCompleted) return 'canceled'
  setCurrentDetails(describeJobForOperators('completed'))
  return 'completed'
}

function showFailure(failure: JobFailure): void {
  indexFailure(failure)
  setCurrentDetails(describeJobForOperators('failed', failure.message))
}

async function holdAndRun(jobId: string, media: InspectedMedia & MediaLocation): Promise<void> {
  setCurrentDetails(describeJobForOperators('hold'))
  await hold({ jobId })

  setCurrentDetails(describeJobForOperators('run', `${media.mediaSeconds.toFixed(1)} s`))
  if (media.isSplit) await runParts({ jobId, ...media })
  const { isShort = false } = media
  await untilNotDeferred((turn) => {
    // A run that proves longer than it should be defers, and has its second turn in the queue of long runs.
    const options = runOptions({ ...media, isShort: isShort && turn === 0 })
    return proxyActivities<MediaActivities>(options).run({ jobId, turn })
  })
}

/** The fast path. If it fails, the job continues with its separate activities. */
async function tryReuse(jobId: string): Promise<ReuseResult> {
  return reuse({ jobId }).catch((error: unknown) => {
    if (isCancellation(error)) throw error
    return { isAnswered: false, isStored: false, isOnDisk: false }
  })
}
