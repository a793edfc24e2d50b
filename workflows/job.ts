import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { JobInput } from '../activities/dependencies.ts'
import type { FinishInput, FinishResult } from '../activities/finish.ts'
import type { Activities, MediaActivities, ShortActivities, SourceActivities } from '../activities/index.ts'
import type { InspectedMedia } from '../activities/inspect.ts'
import type { ReuseResult } from '../activities/reuse.ts'
import type { InspectAndRunResult } from '../activities/short-job.ts'
import {
  inspectAndRunOptions,
  inspectOptions,
  type MediaLocation,
  partOptions,
  planPartsOptions,
  reuseOptions,
  runOptions,
  transactionOptions,
} from './activity-options.ts'
import { oneAtATime, untilNotDeferred } from './deferral.ts'
import { canceledFailure, describeFailure, endingOf, indexFailure, type JobFailure } from './failure.ts'

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
export async function mediaJob({ jobId }: JobInput): Promise<MediaJobResult> {
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

  setCurrentDetails(`Reading the media${isOnDisk ? ', and working on it if that takes seconds' : ' and its tracks'}`)
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
  setCurrentDetails('Completed: outputs published, price captured')
  return 'completed'
}

function showFailure(failure: JobFailure): void {
  indexFailure(failure)
  setCurrentDetails(`Ended without a charge: ${failure.message}`)
}

async function holdAndRun(jobId: string, media: InspectedMedia & MediaLocation): Promise<void> {
  setCurrentDetails('Estimating the price and holding it')
  await hold({ jobId })

  setCurrentDetails(`Working on ${media.mediaSeconds.toFixed(1)} s of media`)
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

/** Temporal hands out activities that were scheduled simultaneously in any order. Those of a second later come after them. */
const laterMilliseconds = 1_000

/** Parts that wait for a source run beside others' on each worker, so that a few of them use all that a server sends. */
const maxStreamedParts = 8

/**
 * Does the parts of a job's work on every worker that has a free slot; the account's fairness key orders them among those of other
 * accounts. Each is retried alone. The first that fails ends the others.
 */
async function runParts({ jobId, ...about }: JobInput & InspectedMedia & MediaLocation): Promise<void> {
  const { planParts } = proxyActivities<SourceActivities>(planPartsOptions(about))
  const { shares, shorterLast = 0 } = await untilNotDeferred((turn) => planParts({ jobId, turn }))
  const lanes = about.isStreamed ? Math.min(maxStreamedParts, shares.length) : shares.length
  // Parts that wait for a source have few lanes already.
  const deferral = about.isStreamed ? { lanes } : { inTurn: oneAtATime() }
  const runOne = (part: number, share: number) => {
    const { runPart } = proxyActivities<MediaActivities>(partOptions(about, `part ${part + 1} of ${shares.length}`))
    return untilNotDeferred((turn) => runPart({ jobId, part, share, turn }), deferral)
  }
  const waiting = shares.entries()
  await CancellationScope.cancellable(() => {
    const later = shorterLast > 0 && !about.isStreamed ? sleep(laterMilliseconds) : undefined
    return allOrNone(
      Array.from({ length: lanes }, async (_, lane) => {
        if (later && lane >= lanes - shorterLast) await later
        // All share this iterator: each takes the next part.
        for (const [part, share] of waiting) await runOne(part, share)
      }),
    )
  })
}

/** Waits for all. When one fails it cancels the scope, waits for the others to stop, and throws the first failure. */
async function allOrNone(running: readonly Promise<void>[]): Promise<void> {
  const failures: unknown[] = []
  const scope = CancellationScope.current()
  await Promise.all(
    running.map((each) =>
      each.catch((error: unknown) => {
        failures.push(error)
        scope.cancel()
      }),
    ),
  )
  if (failures.length > 0) throw failures[0]
}
