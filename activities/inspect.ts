import { Context } from '@temporalio/activity'
import { maxPriceOf } from '../src/billing/price.ts'
import { getChain } from '../src/chains/chains.ts'
import { checkMediaOfSteps, settingsByStep, stepJobId } from '../src/chains/step-request.ts'
import { errorTable, ServiceError, withoutRetry } from '../src/core/errors.ts'
import type { MediaInfo } from '../src/core/media.ts'
import type { MicroUsd } from '../src/core/money.ts'
import type { JobWindow, Segment } from '../src/core/segments.ts'
import type { Database } from '../src/db/database.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import { checkMedia, type MediaEndpoint } from '../src/endpoints/define-endpoint.ts'
import { resolveWindow } from '../src/endpoints/parse-settings.ts'
import { findEndsOf, openAttempt } from '../src/jobs/attempts.ts'
import { type DescribedMedia, markRunning, type OpenedJob, recordMediaInfo } from '../src/jobs/job-changes.ts'
import { type Failure, hasEnded, type Job, type MediaRow, mediaInfoOf } from '../src/jobs/job-rows.ts'
import { outcomeOf, type Probe, recordOutcome } from '../src/jobs/probes.ts'
import { getRun } from '../src/jobs/run-rows.ts'
import { holdEstimate } from '../src/jobs/settle-job.ts'
import { inspectMedia } from '../src/media/inspect/inspect.ts'
import { prefetch } from '../src/media/inspect/prefetch.ts'
import { countingLedgerErrors, measureStart } from '../src/telemetry/metrics.ts'
import type { Dependencies, JobInput } from './dependencies.ts'
import { isShortWork } from './slots.ts'
import { closeSource, findKnownMedia, findOnDisk, openSource, recordFetchedBytes } from './source.ts'
import {
  assertAccountMayWork,
  boundLostAttempts,
  NotYetError,
  openedAttempt,
  workersBlocked,
} from './worker/lost-attempts.ts'
import { whileBeating } from './worker/run-activity.ts'

export type InspectResult = { readonly jobEnded: true } | InspectedMedia

export interface InspectedMedia {
  readonly jobEnded: false
  readonly mediaSeconds: number
  /** The length that the price is for at most, which bounds the time of the run. */
  readonly billableSeconds?: number
  /** Whether the run still downloads, or reads no media, so that it belongs on the queue that uses no core. */
  readonly isStreamed: boolean
  /** Whether the work may split into parts. */
  readonly isSplit?: boolean
  /** Whether the run is expected to take seconds. */
  readonly isShort?: boolean
  /** Whether the run belongs on the queue of workers with models. */
  readonly usesModels?: boolean
}

/** Describes the source. Throws if the endpoint cannot process it. `limitSignal` aborts this. */
export async function inspectJob(deps: Dependencies, job: Job, limitSignal?: AbortSignal): Promise<InspectResult> {
  if (hasEnded(job)) return { jobEnded: true }

  const endpoint = liveEndpoint(job.endpoint)
  // Its run needs no core, like the runs that wait for sources.
  if (!endpoint.readsMedia) return { jobEnded: false, mediaSeconds: 0, isStreamed: true }
  const usesModels = endpoint.models.length > 0
  // The run looks at each of them.
  if (endpoint.uploadsToRead(job.settings))
    return { jobEnded: false, mediaSeconds: 0, ...timeOf(job, endpoint), isStreamed: false, usesModels }

  const attempt = await openAttempt(deps.db, job.id)
  const inspect = async (signal: AbortSignal) =>
    prepareRun(deps, { job, attempt, endpoint, media: await readJobMedia(deps, job, endpoint, signal) }, signal)
  return boundLostAttempts(deps, openedAttempt(deps.db, attempt), () => whileBeating(inspect, undefined, limitSignal))
}

/** The description of a job's media. Throws if the endpoint cannot process it. */
export async function readJobMedia(
  deps: Dependencies,
  job: Job,
  endpoint: MediaEndpoint,
  signal: AbortSignal,
): Promise<DescribedMedia> {
  const media = await readMedia(deps, job, signal, () => beginWork(deps, job.id))
  await checkJobMedia(deps.db, job, endpoint, media.info)
  return media
}

/** Throws if the endpoint, or a later step of the run that the job begins, cannot process the media: nothing is charged by then. */
export async function checkJobMedia(db: Database, job: Job, endpoint: MediaEndpoint, info: MediaInfo): Promise<void> {
  checkMedia(endpoint, job, info)
  if (job.runId === null || job.id !== stepJobId(job.runId, 0)) return
  const run = await getRun(db, job.runId)
  const { startSeconds, endSeconds } = run
  checkMediaOfSteps(
    getChain(run.chain),
    { startSeconds, endSeconds, settings: settingsByStep.parse(run.settings) },
    info,
  )
}

export type InspectedJob = OpenedJob & { readonly endpoint: MediaEndpoint; readonly media: DescribedMedia }

/** Records the media, and fetches what the run will read, unless the run reads it from a server. */
export async function prepareRun(
  deps: Dependencies,
  { job, attempt, endpoint, media: { info, version } }: InspectedJob,
  signal: AbortSignal,
): Promise<InspectedMedia> {
  const usesModels = endpoint.models.length > 0
  // A run with models reads the sound slower than a server sends it.
  const isFetchedFirst = endpoint.windowsToRead !== undefined || usesModels
  await recordMediaInfo(deps.db, job.id, info, version, isFetchedFirst ? undefined : attempt)
  const isSplit = await canSplit(deps, job, info, endpoint, signal)
  // The workers of the parts fetch what they read.
  if (isSplit) await recordFetchedBytes(deps, job.id)
  else if (isFetchedFirst) await fetchWindows(deps, job, info, endpoint, signal)
  const isStreamed = !isFetchedFirst && !(await findOnDisk(deps, job))
  return {
    jobEnded: false,
    mediaSeconds: info.durationSeconds,
    ...timeOf(job, endpoint, info),
    ...(isSplit ? { isSplit } : {}),
    ...(!isStreamed && isShortWork(job, endpoint, info) ? { isShort: true } : {}),
    ...(usesModels ? { usesModels } : {}),
    isStreamed,
  }
}

/** What bounds the time of the run. */
export function timeOf(job: Job, { billableMilliseconds }: MediaEndpoint, info?: MediaInfo) {
  const milliseconds = billableMilliseconds(job, job.settings, info?.durationSeconds)
  return milliseconds === undefined ? {} : { billableSeconds: milliseconds / 1000 }
}

/** Whether the job is long, and every worker can read a part of its media without the rest: in our storage, or by ranges. */
async function canSplit(
  deps: Dependencies,
  job: Job,
  info: MediaInfo,
  { parts }: MediaEndpoint,
  signal: AbortSignal,
): Promise<boolean> {
  if (!parts?.isWorthwhile(job, job.settings, info)) return false
  if (job.mediaKey !== null) return true
  const source = await openSource(deps, job, signal)
  // Without a version, no worker notices that the bytes have changed since another worker read them.
  return source.version !== null && source.input(info.format).served !== undefined
}

/** The media's description, from an earlier job on the same bytes, or by reading it. Calls `onCopy` as `openSource` does. */
async function readMedia(
  deps: Dependencies,
  row: MediaRow,
  signal: AbortSignal,
  onCopy?: () => Promise<unknown>,
): Promise<DescribedMedia> {
  const known = await findKnownMedia(deps, row, signal)
  if (known) return known
  const source = await openSource(deps, row, signal, onCopy)
  return { info: await inspectMedia(source, deps.ffmpeg, signal), version: source.version }
}

/** Downloads the parts that the run will read: the run occupies a core, which should not wait for a server. */
async function fetchWindows(
  deps: Dependencies,
  job: Job,
  info: MediaInfo,
  { windowsToRead = wholeWindow }: MediaEndpoint,
  signal: AbortSignal,
): Promise<void> {
  const source = await openSource(deps, job, signal)
  const input = source.input(info.format)
  if (!input.served) return
  // Reading our own storage is fast: the job may wait longer for its task slot.
  if (!job.mediaKey) await beginWork(deps, job.id)
  const windows = windowsToRead(job, job.settings, info.durationSeconds)
  await prefetch({ input, windows, ffmpeg: deps.ffmpeg, signal })
}

function wholeWindow(window: JobWindow, _settings: unknown, mediaSeconds: number): readonly Segment[] {
  return [resolveWindow(window, mediaSeconds)]
}

/** Fits the hold to the price of the inspected media, before any work is done. */
export async function holdPrice({ db, metrics }: Dependencies, { jobId }: JobInput): Promise<void> {
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

/**
 * Marks the job as running, because a worker begins to download its media from another server, or to run its endpoint.
 * Inspection alone does not count: the job may wait for a task slot after it. Returns the row; repeating the call changes
 * nothing.
 */
export async function beginWork({ db, metrics }: Pick<Dependencies, 'db' | 'metrics'>, jobId: string): Promise<Job> {
  const job = await markRunning(db, jobId)
  measureStart(metrics, job)
  return job
}

export interface EstimateProbeInput {
  readonly probeId: string
}

/** Few, because a caller waits for the outcome. */
const maxAttempts = 3

/** Reads the description of an estimate's media, or records why it cannot be read. */
export async function probeForEstimate(deps: Dependencies, probe: Probe): Promise<void> {
  const { id: probeId } = probe
  if (outcomeOf(probe)) return
  try {
    const ends = await findEndsOf(deps.db, probe)
    if (ends.workerEnds > 0) throw new ServiceError('processing_failed', workersBlocked)
    assertAccountMayWork(ends)
    const read = () => whileBeating((signal) => readMedia(deps, probe, signal))
    const { info } = await deps.watchdog.during(probeId, read)
    await recordOutcome(deps.db, probeId, { info })
  } catch (error) {
    const { cancellationSignal, info } = Context.current()
    const isPassing = error instanceof ServiceError && error.isRetriedAfter(info.attempt) && info.attempt < maxAttempts
    if (isPassing || error instanceof NotYetError || cancellationSignal.aborted) throw error
    deps.logger.warn({ probeId, accountId: probe.accountId, err: error }, 'media not probed')
    await recordOutcome(deps.db, probeId, { failure: probeFailure(error) })
  } finally {
    await closeSource(deps, probeId)
  }
}

function probeFailure(error: unknown): Failure {
  return error instanceof ServiceError
    ? { code: error.code, message: error.message }
    : { code: 'server_error', message: errorTable.server_error.message }
}
