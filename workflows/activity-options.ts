import { ActivityCancellationType, type ActivityOptions, type LocalActivityOptions } from '@temporalio/workflow'
import {
  mediaTaskQueue,
  modelTaskQueue,
  shortTaskQueue,
  sourceTaskQueue,
  storageTaskQueue,
} from '../src/temporal/names.ts'

/** Activities that read and produce media. Waiting for a task slot is not a failure, so there is no limit on queueing. */
const mediaActivity = {
  taskQueue: mediaTaskQueue,
  heartbeatTimeout: '10 seconds',
  // TRY_CANCEL, the default, would let the job end while its ffmpeg still runs.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds', maximumAttempts: 10 },
} satisfies ActivityOptions

/** Where the media is. */
export interface MediaLocation {
  readonly isStored?: boolean | undefined
}

export function inspectOptions({ isStored = false }: MediaLocation): ActivityOptions {
  return {
    ...mediaActivity,
    taskQueue: isStored ? storageTaskQueue : sourceTaskQueue,
    startToCloseTimeout: '2 hours',
    summary: 'read the media',
  }
}

/** Long enough for transactions that wait: work that is not short is deferred after ten seconds. */
export const inspectAndRunOptions: ActivityOptions = {
  ...mediaActivity,
  taskQueue: shortTaskQueue,
  startToCloseTimeout: '10 minutes',
  summary: 'read the media; find or cut, and store, if that takes seconds',
}

/** A batch of deliveries begins within 45 seconds, and ends 15 seconds later. */
export const deliveryOptions: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '20 seconds',
  // Upkeep starts the workflow again.
  retry: { maximumInterval: '30 seconds', maximumAttempts: 5 },
  summary: 'send events to a webhook endpoint',
}

/** Its turns are as long. */
export const startItemsOptions: ActivityOptions = {
  ...deliveryOptions,
  summary: 'start runs of batches and directives',
}

/** Options for the probe of an estimate, which may take as long as its caller waits. */
export function probeOptions(place: MediaLocation): ActivityOptions {
  return {
    ...inspectOptions(place),
    startToCloseTimeout: '25 seconds',
    scheduleToCloseTimeout: '30 seconds',
    summary: 'read the media of an estimate',
  }
}

interface RunAbout extends MediaLocation {
  readonly mediaSeconds: number
  readonly billableSeconds?: number
  readonly isStreamed?: boolean
  readonly isShort?: boolean
  readonly usesModels?: boolean
}

/** The maximum wait for a source. */
const sourceSeconds = 3_600

/**
 * Long enough for the slowest encoder on a busy machine, by the length that the price is for. Media on the internet may have to be
 * read again, because another worker inspected it; waiting for a source uses no core.
 */
export function runOptions({
  mediaSeconds,
  billableSeconds = mediaSeconds,
  isStreamed = false,
  isShort = false,
  usesModels = false,
  isStored = false,
}: RunAbout): ActivityOptions {
  return {
    ...(isStreamed ? inspectOptions({ isStored }) : mediaActivity),
    ...(isShort ? { taskQueue: shortTaskQueue } : {}),
    ...(usesModels ? { taskQueue: modelTaskQueue } : {}),
    startToCloseTimeout: `${Math.ceil(600 + billableSeconds * 20 + (isStreamed || !isStored ? sourceSeconds : 0))} seconds`,
    summary: 'find or cut, and store',
  }
}

/** Reads where the frames of the work are. */
export function planPartsOptions(place: MediaLocation): ActivityOptions {
  return { ...inspectOptions(place), summary: 'plan the parts' }
}

export function partOptions(about: RunAbout, summary: string): ActivityOptions {
  return { ...runOptions(about), summary }
}

/** Database transactions, retried until the database is back, so that no accepted work is lost. */
export const transactionOptions: LocalActivityOptions = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
}

/** One attempt, because the separate activities of a job do the same work. */
export const reuseOptions: LocalActivityOptions = { startToCloseTimeout: '30 seconds', retry: { maximumAttempts: 1 } }
