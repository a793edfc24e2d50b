import type { MediaInfo } from '../src/core/media.ts'
import { quoted } from '../src/core/text.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import type { MediaEndpoint } from '../src/endpoints/define-endpoint.ts'
import { maxTimelineSegments, type TimelineEndpoint } from '../src/endpoints/define-timeline-endpoint.ts'
import { hasReadableStart } from '../src/exports/export-entries.ts'
import { jobFolder } from '../src/jobs/analysis-rows.ts'
import { getEarlierTimelines } from '../src/jobs/earlier-jobs.ts'
import { foldersOf, type NewDraft, openRunAttempt, recordDraft, recordProgress } from '../src/jobs/job-changes.ts'
import { getJob, type Job, mediaInfoOf } from '../src/jobs/job-rows.ts'
import { measureStart } from '../src/telemetry/metrics.ts'
import type { Dependencies, JobInput } from './dependencies.ts'
import {
  createRunContext,
  inOwnFolder,
  type RunContextInput,
  readEarlierSound,
  readEarlierWords,
} from './run-context.ts'
import { claimsOf, type SlotClaim } from './slots.ts'
import { findOnDisk, openSource } from './source.ts'
import { discardFolder, storeFiles } from './staged-objects.ts'
import { boundLostAttempts, openedAttempt } from './worker/lost-attempts.ts'
import { whileBeating } from './worker/run-activity.ts'

/**
 * Does the endpoint's work, stores its files and leaves the draft that finish publishes. An existing draft stays. `limitSignal` aborts
 * the work.
 */
export async function runJob(deps: Dependencies, { jobId }: JobInput, limitSignal?: AbortSignal): Promise<void> {
  const opened = await openRunAttempt(deps.db, jobId)
  if (!opened) return
  const { job, attempt, startedNow } = opened
  measureStart(deps.metrics, { ...job, startedNow })
  await boundLostAttempts(deps, openedAttempt(deps.db, attempt), async () => {
    const draft = await makeDraft(deps, job, { limitSignal })
    // If this throws, the draft may exist nevertheless, so its objects and their staged folder stay.
    if (await recordDraft(deps.db, jobId, draft, attempt)) return
    await Promise.all(foldersOf(draft.files).map((folder) => discardFolder(deps, folder)))
  })
}

interface DraftOptions {
  readonly openWith?: typeof openSource
  readonly limitSignal?: AbortSignal | undefined
}

/** Does the endpoint's work and stores its files. */
export async function makeDraft(deps: Dependencies, job: Job, options: DraftOptions): Promise<NewDraft> {
  const endpoint = liveEndpoint(job.endpoint)
  if (endpoint.readsMedia) return runOnMedia(deps, job, endpoint, options)
  const run = (signal: AbortSignal) =>
    deps.timelineRuns(job.accountId, () => runWithoutMedia(deps, job, endpoint), signal)
  return whileBeating(run, undefined, options.limitSignal)
}

/** An hour of a track takes up to 18 MB of memory, and many jobs wait for their sources simultaneously. */
const longSeconds = 2 * 3_600

/** Whether the media is so long that only a few jobs on such media may be in memory together. */
export function isLong({ audio, durationSeconds }: MediaInfo): boolean {
  return audio.length * durationSeconds > longSeconds
}

/** On one worker, only one run on long media may wait for its source at a time. */
export function longMediaClaims(job: Job): SlotClaim[] {
  const info = mediaInfoOf(job)
  return info && isLong(info) ? [{ key: 'long media', max: 1 }] : []
}

/**
 * The claims of a run that has to download its media in a task slot that others need for work: another worker has read it, or the
 * connection was lost. What this worker has opened was fetched before the run. Slow servers then leave a task slot to the others.
 */
export async function downloadClaims(deps: Dependencies, { jobId }: JobInput, max: number): Promise<SlotClaim[]> {
  const job = await getJob(deps.db, jobId)
  if (job.mediaKey !== null || job.mediaUrl === null || deps.rangedSources.find(jobId)) return []
  if (await findOnDisk(deps, job)) return []
  return claimsOf(job).map(({ key }) => ({ key: `downloads, ${key}`, max }))
}

/** Runs a timeline endpoint on its settings and the results of earlier jobs, free of charge. */
async function runWithoutMedia(deps: Dependencies, job: Job, endpoint: TimelineEndpoint): Promise<NewDraft> {
  const began = performance.now()
  const { result, warnings } = await endpoint.run({
    settings: job.settings,
    earlierTimelines: (jobIds, { labelled } = { labelled: false }) =>
      getEarlierTimelines(deps.db, job, { jobIds, labelled, maxSegments: maxTimelineSegments }),
    earlierWords: (jobId) => readEarlierWords(deps, job, jobId),
    earlierSound: (jobId) => readEarlierSound(deps, job, jobId),
  })
  deps.metrics.processingSeconds.inc({ endpoint: job.endpoint }, (performance.now() - began) / 1000)
  return { result, files: [], billedMilliseconds: 0, ...(warnings && { warnings: [...warnings] }) }
}

async function runOnMedia(
  deps: Dependencies,
  job: Job,
  endpoint: MediaEndpoint,
  { openWith = openSource, limitSignal }: DraftOptions,
): Promise<NewDraft> {
  const { id: jobId } = job
  return inOwnFolder(deps, jobId, async (attempt) => {
    const work = (signal: AbortSignal, reportProgress: (fraction: number) => void) =>
      draftOnMedia(deps, endpoint, { job, attempt, signal, reportProgress, openWith })
    return whileBeating(work, (progress) => recordProgress(deps.db, jobId, progress), limitSignal)
  })
}

/** One attempt of the work on a job's media. */
async function draftOnMedia(deps: Dependencies, endpoint: MediaEndpoint, run: RunContextInput): Promise<NewDraft> {
  const { job, attempt, signal } = run
  const { processingSeconds, mediaSeconds } = deps.metrics
  const began = performance.now()
  const output = await endpoint.run(createRunContext(deps, run))
  processingSeconds.inc({ endpoint: job.endpoint }, (performance.now() - began) / 1000)
  mediaSeconds.inc({ endpoint: job.endpoint }, output.billedMilliseconds / 1000)
  const folder = `${jobFolder(job.id)}/${attempt.name}`
  const files = await storeFiles(deps, { job, folder, files: output.files, signal })
  const { result, passages = [], billedMilliseconds } = output
  const warnings = [...(output.warnings ?? []), ...warnOfMedia(mediaInfoOf(job))]
  return { result, passages, files, billedMilliseconds, warnings }
}

function warnOfMedia(info: MediaInfo | undefined): string[] {
  return info ? [...warnOfUnreadTracks(info), ...warnOfStart(info)] : []
}

function warnOfUnreadTracks({ audio, unreadAudioTracks = 0 }: MediaInfo): string[] {
  const total = audio.length + unreadAudioTracks
  return unreadAudioTracks > 0
    ? [`The media has ${total} audio tracks, of which the first ${audio.length} are read.`]
    : []
}

function warnOfStart(info: MediaInfo): string[] {
  if (info.timecode === undefined || hasReadableStart(info)) return []
  return [
    `The timecode ${quoted(info.timecode)} of the media cannot be read. Exports for editors begin at 00:00:00:00.`,
  ]
}
