import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { activityInfo } from '@temporalio/activity'
import { type Background, createBackground } from '../src/core/concurrency.ts'
import { ServiceError } from '../src/core/errors.ts'
import { randomText } from '../src/core/ids.ts'
import { defaultTrackOf, type MediaInfo } from '../src/core/media.ts'
import { type MediaTraits, seemsOther } from '../src/core/same-media.ts'
import { counted } from '../src/core/text.ts'
import { findWordsEndpoint } from '../src/endpoints/audio-find-words/declaration.ts'
import { readWordsFile, wordsFileName } from '../src/endpoints/audio-find-words/words-file.ts'
import { type EarlierSound, type EarlierWords, maxSoundSeconds } from '../src/endpoints/define-timeline-endpoint.ts'
import { resolveWindow, settingsDocument } from '../src/endpoints/parse-settings.ts'
import type { MediaNames, RunContext } from '../src/endpoints/run-contract.ts'
import { keptSound } from '../src/jobs/analysis-rows.ts'
import { getEarlierJob, getEarlierResult } from '../src/jobs/earlier-jobs.ts'
import { type Job, mediaInfoOf } from '../src/jobs/job-rows.ts'
import { foundFramesKind } from '../src/media/frames/choose-frames.ts'
import { madeFoundFrames } from '../src/media/frames/find-frames.ts'
import { readScreen, screenTextKind } from '../src/media/frames/text-reader.ts'
import { envelopeVersion, levelsWithin, stretchAround } from '../src/media/sound/envelope.ts'
import { measuredEnvelopes } from '../src/media/sound/envelopes.ts'
import type { MediaSource } from '../src/media/source/media-source.ts'
import { tagTrack } from '../src/media/speech/tag-track.ts'
import { measuredTopicGaps } from '../src/media/speech/topic-gaps.ts'
import { soundTagsKind, topicGapsKind, transcriptKind } from '../src/media/speech/track-analysis-kinds.ts'
import { transcribeTrack } from '../src/media/speech/transcribe-track.ts'
import { type AnalyseInput, madeAnalyses, type TrackAnalysisKind } from '../src/media/track-analyses.ts'
import { cachedEnvelopes, cachedTrackAnalyses, openPieceStore } from './analysis-stores.ts'
import type { Dependencies } from './dependencies.ts'
import { jobDirectory, openBrand, openSource, openUpload } from './source.ts'
import { whileBeating } from './worker/run-activity.ts'

export interface RunContextInput {
  readonly job: Job
  readonly attempt: AttemptFolder
  readonly signal: AbortSignal
  readonly reportProgress?: (fraction: number) => void
  readonly openWith?: typeof openSource
}

/** What `run` of an endpoint receives for a job. */
export function createRunContext(
  deps: Dependencies,
  { job, attempt, signal, reportProgress = () => {}, openWith = openSource }: RunContextInput,
): RunContext<unknown> {
  const open = once(async () => {
    const source = await openWith(deps, job, signal)
    assertUnchanged(source, job, inspectedInfo(job))
    return afterParts(source, job)
  })
  const media = {
    // A job that reads uploaded pictures has none.
    get info() {
      return inspectedInfo(job)
    },
    open,
  }
  const { ffmpeg, cores } = deps
  const models = deps.modelPool.modelsFor(signal)
  const own = { job, media, background: attempt.background, signal }
  const analyses = <Value>(kind: TrackAnalysisKind<Value>, make: (input: AnalyseInput) => Promise<Value>) => {
    const made = madeAnalyses({ media, ffmpeg, cores, models, signal }, make)
    return cachedTrackAnalyses(deps, { ...own, kind, made })
  }
  const pieces = openPieceStore(deps, job)
  const storedIn = { folder: attempt.workDir, store: pieces }
  const measured = measuredEnvelopes({ media, ffmpeg, cores, signal, storedIn })
  return {
    media,
    envelopes: cachedEnvelopes(deps, { ...own, measured }),
    transcripts: analyses(transcriptKind, transcribeTrack),
    soundTags: analyses(soundTagsKind, tagTrack),
    topicGaps: cachedTrackAnalyses(deps, { ...own, kind: topicGapsKind, made: measuredTopicGaps({ media, models }) }),
    screenTexts: analyses(screenTextKind, readScreen),
    foundFrames: cachedTrackAnalyses(deps, {
      ...{ ...own, kind: foundFramesKind },
      made: madeFoundFrames({ media, ffmpeg, cores, models, signal, workDir: attempt.workDir }),
    }),
    ...{ ffmpeg, cores, models },
    pieces,
    uploadedPicture: (uploadId) => openUpload(deps, { job, uploadId, folder: attempt.workDir, signal }),
    brand: (brandId) => openBrand(deps, { job, brandId, folder: attempt.workDir, signal }),
    earlierResult: (jobId) => getEarlierResult(deps.db, job, jobId),
    earlierWords: (jobId) => readEarlierWords(deps, job, jobId),
    otherMedia: (jobId) => findOtherMedia(deps, job, jobId),
    window: job,
    settings: job.settings,
    workDir: attempt.workDir,
    signal,
    reportProgress,
  }
}

function inspectedInfo(job: Job): MediaInfo {
  const info = mediaInfoOf(job)
  if (!info) throw new Error(`${job.id} was not inspected`)
  return info
}

interface AttemptFolder {
  /** Unique. The attempt's number is not: an operator's reset makes Temporal count from 1 again. */
  readonly name: string
  readonly workDir: string
  /** Ends before the attempt does. */
  readonly background: Background
}

/** Runs the work with a folder of its own, so that an abandoned attempt that still runs cannot touch another's files. */
export async function inOwnFolder<T>(
  deps: Pick<Dependencies, 'workDir'>,
  jobId: string,
  work: (attempt: AttemptFolder) => Promise<T>,
): Promise<T> {
  const name = `${activityInfo().attempt}-${randomText(8)}`
  const workDir = path.join(jobDirectory(deps, jobId), name)
  const background = createBackground()
  await mkdir(workDir, { recursive: true })
  try {
    return await work({ name, workDir, background })
  } finally {
    // Storing may take longer than the time between two heartbeats, also after work that failed.
    await whileBeating(() => background.settled())
    await rm(workDir, { recursive: true, force: true })
  }
}

/** The hold is for the inspected media, but a worker without a copy reads the URL again: throws if the media has changed. */
function assertUnchanged({ bytes, version }: MediaSource, job: Job, inspected: MediaInfo): void {
  const isSame = job.mediaVersion === null || version === job.mediaVersion
  if (isSame && bytes === inspected.bytes) return
  throw new ServiceError(
    'media_unreachable',
    'The media URL served a different file when it was read again. Use a URL that always serves the same file, or upload the file.',
    { retryable: false },
  )
}

/** The source with the bytes that workers fetched for the job's parts. */
function afterParts(source: MediaSource, { fetchedBytes }: Job): MediaSource {
  if (fetchedBytes === 0n) return source
  return {
    ...source,
    fetchedBytes: () => {
      const bytes = source.fetchedBytes()
      return bytes === null ? null : bytes + Number(fetchedBytes)
    },
  }
}

/** Runs `work` at the first call, and returns its outcome to all calls. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | undefined
  return () => (outcome ??= work())
}

type JobOnMedia = Pick<Job, 'accountId' | 'apiKeyId' | 'mediaUrl' | 'mediaName' | 'mediaInfo'>

/** As `RunContext.otherMedia`. */
export async function findOtherMedia(
  { db }: Pick<Dependencies, 'db'>,
  job: JobOnMedia,
  jobId: string,
): Promise<MediaNames | undefined> {
  const [earlier, own] = [traitsOf(await getEarlierJob(db, job, jobId)), traitsOf(job)]
  if (!earlier || !own || !seemsOther(earlier, own)) return undefined
  return { earlier: earlier.name ?? '', own: own.name ?? '' }
}

/** Undefined for a job that read no media. */
function traitsOf(job: Pick<JobOnMedia, 'mediaUrl' | 'mediaName' | 'mediaInfo'>): MediaTraits | undefined {
  if (job.mediaUrl === null) return undefined
  return { url: job.mediaUrl, name: job.mediaName, bytes: mediaInfoOf(job)?.bytes }
}

/** The words of a completed job, from its file. Throws as `TimelineContext.earlierWords` and `RunContext.earlierWords`. */
export async function readEarlierWords(
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  job: Pick<Job, 'accountId' | 'apiKeyId'>,
  jobId: string,
): Promise<EarlierWords> {
  const { endpoint, outputs, ...window } = await getEarlierJob(db, job, jobId)
  if (endpoint !== findWordsEndpoint.id)
    throw new ServiceError(
      'invalid_request',
      `${jobId} is a job of ${endpoint}. To cut by text, send a job of ${findWordsEndpoint.id}.`,
    )
  const file = outputs.find(({ objectKey }) => objectKey.endsWith(`/${wordsFileName}`))
  if (!file)
    throw new ServiceError(
      'invalid_request',
      `The files of ${jobId} are deleted. Find the words again: it reads nothing.`,
    )
  const text = (await buffer(await storage.read(file.objectKey))).toString()
  return { window, ...(await readWords(text, jobId)) }
}

/** What `TimelineContext.earlierSound` returns. */
export async function readEarlierSound(
  { db, envelopeCache }: Pick<Dependencies, 'db' | 'envelopeCache'>,
  job: Pick<Job, 'accountId' | 'apiKeyId'>,
  jobId: string,
): Promise<EarlierSound> {
  const earlier = await getEarlierJob(db, job, jobId)
  const info = mediaInfoOf(earlier)
  if (!info || info.audio.length === 0)
    throw new ServiceError('invalid_request', `${jobId} measured no sound. Send a job of audio/detect-silence.`)
  const stretch = stretchAround(resolveWindow(earlier, info.durationSeconds))
  if (stretch.endMs - stretch.startMs > maxSoundSeconds * 1000)
    throw new ServiceError('media_too_large', `${jobId} measured more than ${counted(maxSoundSeconds / 3600, 'hour')}.`)
  const { audio_track: searched } = settingsDocument.parse(earlier.settings)
  const trackIndex = typeof searched === 'number' ? searched : defaultTrackOf(info)
  const analysis = await keptSound(db, earlier, { ...stretch, format: envelopeVersion, trackIndex })
  const envelope = await envelopeCache.forceFetch(analysis.objectKey)
  return { mediaName: earlier.mediaName ?? undefined, envelope: levelsWithin(envelope, stretch) }
}

/** Throws `processing_failed` for another text: a further attempt would read the same. */
async function readWords(text: string, jobId: string): Promise<Omit<EarlierWords, 'window'>> {
  try {
    return await readWordsFile(text)
  } catch (cause) {
    throw new ServiceError('processing_failed', `The words of ${jobId} cannot be read. Find the words again.`, {
      cause,
    })
  }
}
