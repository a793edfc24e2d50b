import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { FinishInput } from '../activities/finish.ts'
import type { Activities, MediaActivities, SourceActivities } from '../activities/index.ts'
import { describeFailure, endingOf } from './failure.ts'
import {
  describeStep,
  inspectOptions,
  reuseOptions,
  runOptions,
  startNextOptions,
  transactionOptions,
} from './steps.ts'

export interface MediaJobInput {
  readonly jobId: string
}

export interface MediaJobResult {
  readonly outcome: 'completed' | 'already_ended'
}

const { inspect } = proxyActivities<SourceActivities>(inspectOptions)
const { startNext } = proxyActivities<Activities>(startNextOptions)
const { hold, finish } = proxyLocalActivities<Activities>(transactionOptions)
const { reuse } = proxyLocalActivities<Activities>(reuseOptions)

/**
 * A job's life. The fast path is one step: `reuse` does the four steps below in one activity, if the job reads no media or the
 * analyses of earlier jobs answer it. Every other job runs step by step: inspect the media, hold the price, run, finish.
 * Cancellation and failure cost nothing.
 */
export async function mediaJob({ jobId }: MediaJobInput): Promise<MediaJobResult> {
  if (workflowInfo().workflowId !== jobId) {
    throw ApplicationFailure.nonRetryable('A job runs only under its own id.', 'invalid_request')
  }
  try {
    if (await endsByReuse(jobId)) return { outcome: 'completed' }

    setCurrentDetails(describeStep('inspect'))
    const media = await inspect({ jobId })
    if (media.jobEnded) return { outcome: 'already_ended' }

    setCurrentDetails(describeStep('hold'))
    await hold({ jobId })

    setCurrentDetails(describeStep('run', `${media.mediaSeconds.toFixed(1)} s`))
    const { run } = proxyActivities<MediaActivities>(runOptions(media))
    await run({ jobId })

    await settle({ jobId })
    setCurrentDetails(describeStep('completed'))
    return { outcome: 'completed' }
  } catch (error) {
    const failure = describeFailure(error)
    await settle({ jobId, failure })
    setCurrentDetails(describeStep('failed', failure.message))
    throw endingOf(error, failure)
  }
}

/** The fast path. If it fails, the job continues step by step. */
async function endsByReuse(jobId: string): Promise<boolean> {
  if (!patched('answer-from-kept')) return false
  const { isAnswered, othersWait } = await reuse({ jobId }).catch((error: unknown) => {
    if (isCancellation(error)) throw error
    return { isAnswered: false, othersWait: false }
  })
  if (othersWait) await startNextQueuedJob(jobId)
  if (isAnswered) setCurrentDetails(describeStep('completed'))
  return isAnswered
}

/** Ends the job's row, then starts the job that waits for its slot. Cancellation interrupts neither. */
async function settle(input: FinishInput): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    const { othersWait } = await finish(input)
    if (othersWait) await startNextQueuedJob(input.jobId)
  })
}

/** A failure here does not change how the job ended; upkeep starts waiting jobs too. */
async function startNextQueuedJob(jobId: string): Promise<void> {
  await startNext({ jobId }).catch(() => {})
}
