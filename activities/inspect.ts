import type { MediaInfo } from '../src/core/media.ts'
import type { JobWindow, Segment } from '../src/core/segments.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import { checkMedia, type MediaEndpoint } from '../src/endpoints/define-endpoint.ts'
import { resolveWindow } from '../src/endpoints/job-window.ts'
import { inspectMedia } from '../src/media/inspect/inspect.ts'
import { prefetch } from '../src/media/inspect/prefetch.ts'
import { type DescribedMedia, type OpenedJob, recordMediaInfo } from '../src/store/job-changes.ts'
import { hasEnded, type Job } from '../src/store/jobs.ts'
import type { MediaRow } from '../src/store/media-reference.ts'
import { openAttempt } from '../src/store/open-attempts.ts'
import { beginWork } from './begin-work.ts'
import type { Dependencies } from './dependencies.ts'
import { isShortWork } from './short-work.ts'
import { findKnownMedia } from './source/identity.ts'
import { findOnDisk, openSource, recordFetchedBytes } from './source/open.ts'
import { whileBeating } from './worker/heartbeat.ts'
import { boundLostAttempts, openedAttempt } from './worker/lost-attempts.ts'

export interface InspectInput {
  readonly jobId: string
}

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
  checkMedia(endpoint, job, media.info)
  return media
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
export async function readMedia(
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
