import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { activityInfo } from '@temporalio/activity'
import { ServiceError } from '../src/core/errors.ts'
import { randomText } from '../src/core/ids.ts'
import type { MediaInfo } from '../src/core/media.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import type { OutputFile } from '../src/endpoints/define-endpoint.ts'
import { measuredEnvelopes } from '../src/media/sound/envelopes.ts'
import { mediaInfoOf, type NewDraft } from '../src/store/job-documents.ts'
import { findDraft, getJob, hasEnded, type Job, recordDraft, recordProgress } from '../src/store/jobs.ts'
import { stageFolder } from '../src/store/staged-folders.ts'
import { cachedEnvelopes } from './cache/envelope-store.ts'
import { openPieceStore } from './cache/piece-store.ts'
import { discardFolder } from './cache/staged-objects.ts'
import type { Dependencies } from './dependencies.ts'
import { draftWithoutMedia } from './draft-without-media.ts'
import { jobDirectory, openJobMedia, type Source } from './source/open.ts'
import { whileBeating } from './worker/heartbeat.ts'

export interface RunInput {
  readonly jobId: string
}

/** Does the endpoint's work, stores its files and leaves the draft that finish publishes. A draft that is there stays. */
export async function runJob(deps: Dependencies, { jobId }: RunInput, openMedia = openJobMedia): Promise<void> {
  const job = await getJob(deps.db, jobId)
  if (hasEnded(job) || (await findDraft(deps.db, jobId))) return
  const endpoint = liveEndpoint(job.endpoint)
  if (!endpoint.readsMedia) {
    await recordDraft(deps.db, jobId, await draftWithoutMedia(deps, job, endpoint))
    return
  }
  const info = mediaInfoOf(job)
  if (!info) throw new Error(`${jobId} was not inspected`)

  // Each attempt has its own folders: one that was given up but still runs cannot touch another's files.
  const attempt = attemptId()
  const workDir = path.join(jobDirectory(deps, jobId), attempt)
  const folder = `outputs/${jobId}/${attempt}`
  const work = async (signal: AbortSignal, reportProgress: (fraction: number) => void) => {
    await mkdir(workDir, { recursive: true })
    const open = once(async () => {
      const source = await openMedia(deps, job, signal)
      assertUnchanged(source, job, info)
      return source
    })
    const media = { info, open: async () => (await open()).media }
    const measured = measuredEnvelopes({ media, ffmpeg: deps.ffmpeg, cores: deps.cores, signal })
    const began = performance.now()
    const output = await endpoint.run({
      media,
      envelopes: cachedEnvelopes(deps, { job, info, openSource: open, measured, signal }),
      ffmpeg: deps.ffmpeg,
      speechModel: deps.speechModel,
      cores: deps.cores,
      pieces: openPieceStore(deps, jobId),
      window: job,
      settings: job.settings,
      workDir,
      signal,
      reportProgress,
    })
    deps.metrics.processingSeconds.inc({ endpoint: job.endpoint }, (performance.now() - began) / 1000)
    deps.metrics.mediaSeconds.inc({ endpoint: job.endpoint }, output.billedMilliseconds / 1000)
    if (output.files.length > 0) await stageFolder(deps.db, jobId, folder)
    const stored = output.files.map((file) => store(deps, file, folder, signal))
    const files = await Promise.all(stored).catch(async (error: unknown) => {
      await Promise.allSettled(stored)
      await discardFolder(deps, folder)
      throw error
    })
    return { result: output.result, files, billedMilliseconds: output.billedMilliseconds }
  }
  try {
    const draft = await whileBeating(work, (progress) => recordProgress(deps.db, jobId, progress))
    // Should this throw, the draft may be there all the same: its objects stay, and stay noted.
    if (!(await recordDraft(deps.db, jobId, draft))) await discardFolder(deps, folder)
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** The price was held for the media that was inspected; a worker without a copy of it reads its URL again. */
function assertUnchanged({ media, version }: Source, job: Job, inspected: MediaInfo): void {
  const isSame = job.mediaVersion === null || version === job.mediaVersion
  if (isSame && media.bytes === inspected.bytes) return
  throw new ServiceError(
    'media_unreachable',
    'The media URL served another file when it was read again. Use one that always serves the same, or upload the file.',
    { retryable: false },
  )
}

/** The outcome of the first call, for all calls. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | undefined
  return () => (outcome ??= work())
}

/** Of this attempt alone: an operator can reset a workflow or an activity, which then counts from 1 again. */
function attemptId(): string {
  return `${activityInfo().attempt}-${randomText(8)}`
}

async function store(
  { storage }: Dependencies,
  file: OutputFile,
  objects: string,
  signal: AbortSignal,
): Promise<NewDraft['files'][number]> {
  const { path: filePath, ...described } = file
  const objectKey = `${objects}/${file.fileName}`
  const { bytes } = await storage.write(objectKey, createReadStream(filePath), file.contentType, signal)
  return { ...described, objectKey, bytes }
}
