import { z } from 'zod'
import type { ShownRange } from '../../src/core/captions.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { defaultTrackOf } from '../../src/core/media.ts'
import { roundToMillisecond } from '../../src/core/time-code.ts'
import { exportableResult } from '../../src/endpoints/catalog.ts'
import { resolveWindow } from '../../src/endpoints/parse-settings.ts'
import { type CutFile, cutFileOf } from '../../src/exports/cut-file.ts'
import type { ExportEntry } from '../../src/exports/export-document.ts'
import { exportEntries, hasEntries } from '../../src/exports/export-entries.ts'
import { type Job, type JobWithOutputs, mediaInfoOf } from '../../src/jobs/job-rows.ts'
import { findRun } from '../../src/jobs/run-rows.ts'
import type { OpenedShare } from '../../src/shares/shares.ts'
import { findUploadOf } from '../../src/uploads/uploads.ts'
import { captionEntries } from '../exports/export-result.ts'
import type { ApiContext } from '../http/context.ts'
import { holdShares } from '../http/rate-limits.ts'
import { findJobOnMedia, findJobWithResult, type ResultContext } from '../jobs/read.ts'
import { findKeptSound } from '../jobs/waveform.ts'
import { addShownResults, savedBy, statusOf } from '../runs/read.ts'
import { overviewOf } from './overview.ts'

export type ShownContext = Pick<ApiContext, 'db' | 'storage' | 'waveforms'> & ResultContext

/** For each load of a page. */
const mediaUrlSeconds = 900
/** Of one list. A page that shows more would be slow, and nobody reads it. */
const maxShown = 2000

/** One answer for every link that shows nothing: nobody learns whether there was such a share. */
export function noSuchShare(): ServiceError {
  return new ServiceError('not_found', 'This link is wrong, or what it showed is not shared any more.')
}

/** What a share lets everybody see, with media that plays for 15 minutes. Has no id of the account. Throws as `noSuchShare` does. */
export async function presentShown(context: ShownContext, share: OpenedShare) {
  const { files, source, ...found } = await presentFound(context, share)
  return {
    ...found,
    outputs: await Promise.all(files.map((file) => sign(context, file, share.allowDownload))),
    source: share.includeSource ? await signedSource(context, share, source) : undefined,
    media_expires_at: new Date(Date.now() + mediaUrlSeconds * 1000).toISOString(),
    expires_at: share.expiresAt.toISOString(),
  }
}

/** All but the addresses of files. A large result is in memory until then, so that its read counts as in progress. */
async function presentFound({ results, ...context }: ShownContext, share: OpenedShare) {
  const held = holdShares(results)
  try {
    const { work, saved, heard } = await findShown({ ...context, results: held }, share)
    const source = await findJobOnMedia(context.db, share, work)
    const files = work.outputs.filter(({ role, contentType }) => role === 'media' && isShown(share, contentType))
    const [clip, ...others] = files.filter(({ contentType }) => isPlayed(contentType))
    const cut = clip && others.length === 0 ? cutOf(work, clip.fileName) : undefined
    return {
      name: clip?.fileName ?? source?.mediaName ?? 'Result',
      ...(cut ? await timelineOfCut(context, source, cut) : await timelineOfMedia(context, source, share, work, clip)),
      ...{ files, source, saved },
      receipt: receiptSchema.safeParse(work.result).data?.receipt,
      transcript: share.includeTranscript ? await transcriptOf(heard, cut?.ranges) : undefined,
    }
  } finally {
    held.giveBack()
  }
}

type Source = Awaited<ReturnType<typeof findJobOnMedia>>
type WaveformContext = Pick<ShownContext, 'db' | 'waveforms'>

/** The clock of the file that was cut. */
async function timelineOfCut(context: WaveformContext, source: Source, cut: CutFile) {
  const { ranges } = cut
  const waveform = source && (await waveformOf(context, source, ranges))
  return { of: 'output' as const, duration_seconds: endOf(ranges), tracks: [trackOfCut(cut)], waveform }
}

/** The clock of the media. With files that play, each has a clock of its own, so that there is nothing to show on it. */
async function timelineOfMedia(
  context: WaveformContext,
  source: Source,
  { includeTranscript }: OpenedShare,
  work: JobWithOutputs,
  clip: object | undefined,
) {
  const info = source && mediaInfoOf(source)
  const tracks = clip ? [] : await tracksOf(work, includeTranscript)
  const seconds = info?.durationSeconds ?? lastEnd(tracks)
  // Levels may be kept of more than the job was for.
  const window = source && info && !clip ? resolveWindow(source, seconds) : undefined
  const shown = window && [{ presented: window, atSeconds: window.start }]
  const waveform = source && shown ? await waveformOf(context, source, shown) : undefined
  return { of: 'media' as const, duration_seconds: seconds, tracks, waveform }
}

interface Shown {
  /** The job that is shown: of a run, the last one. */
  readonly work: JobWithOutputs
  readonly saved?: ReturnType<typeof savedBy>
  /** The jobs whose words can be shown, the one that is shown first. */
  readonly heard: readonly JobWithOutputs[]
}

async function findShown(context: ResultContext, share: OpenedShare): Promise<Shown> {
  const { accountId, subjectId } = share
  if (!isId('run', subjectId)) {
    const job = await findJobWithResult(context, share, subjectId)
    if (job?.status !== 'completed') throw noSuchShare()
    return { work: job, heard: [job] }
  }
  const found = await findRun(context.db, accountId, subjectId)
  if (!found || statusOf(found) !== 'completed') throw noSuchShare()
  const run = await addShownResults(context, found)
  const work = run.jobs.at(-1)
  if (!work) throw noSuchShare()
  return { work, saved: savedBy(run), heard: [work, ...run.jobs.slice(0, -1)] }
}

function isPlayed(contentType: string): boolean {
  return /^(audio|video)\//.test(contentType)
}

/** Captions and other text are what was said. */
function isShown({ includeTranscript, allowDownload }: OpenedShare, contentType: string): boolean {
  return isPlayed(contentType) || contentType.startsWith('image/') || (includeTranscript && allowDownload)
}

/** Undefined for a result that is no cut. */
function cutOf({ id, result }: JobWithOutputs, fileName: string): CutFile | undefined {
  try {
    return cutFileOf({ id, result, fileName })
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

function endOf(ranges: readonly ShownRange[]): number {
  const ends = ranges.map(({ presented, atSeconds }) => atSeconds + presented.end - presented.start)
  return roundToMillisecond(Math.max(...ends))
}

interface ShownTrack {
  readonly name: string
  /** How many there are, of which the first are shown. */
  readonly total: number
  readonly segments: readonly { readonly start: number; readonly end: number; readonly label?: string }[]
}

/** What stayed of the media, where the file shows it. */
function trackOfCut({ ranges }: CutFile): ShownTrack {
  const segments = ranges.slice(0, maxShown).map(({ presented: { start, end }, atSeconds }) => ({
    start: roundToMillisecond(atSeconds),
    end: roundToMillisecond(atSeconds + end - start),
  }))
  return { name: 'part', total: ranges.length, segments }
}

/** Lists of what was said, which the transcript has. */
const spokenLists: readonly string[] = ['sentences', 'words', 'lines']

/** The lists of what was found. The first of two equal ones is enough. */
async function tracksOf(job: JobWithOutputs, includesTranscript: boolean): Promise<ShownTrack[]> {
  const exported = exportableResult(job)
  // Names of most entries are what was said, or come from it. Text on the screen is seen in the file.
  const hidesLabels = job.endpoint !== 'video/text-frames' && !includesTranscript
  const tracks: ShownTrack[] = []
  for (const [list, noun] of Object.entries(exported.nouns)) {
    if (spokenLists.includes(list) || tracks.some(({ name }) => name === noun) || !hasEntries(exported, list)) continue
    const entries = await exportEntries(exported, list)
    const segments = entries.slice(0, maxShown).map((entry) => presentEntry(entry, hidesLabels))
    tracks.push({ name: noun, total: entries.length, segments })
  }
  return tracks
}

function presentEntry({ start, end, label, isUnnamed = false }: ExportEntry, hidesLabel: boolean) {
  return { start, end, ...(isUnnamed || hidesLabel ? {} : { label }) }
}

function lastEnd(tracks: readonly ShownTrack[]): number {
  return tracks.flatMap(({ segments }) => segments).reduce((last, { end }) => Math.max(last, end), 0)
}

/** Undefined if the sound was never measured, or its levels are not kept any more. */
async function waveformOf(context: WaveformContext, job: Job, shown: readonly ShownRange[]) {
  const info = mediaInfoOf(job)
  if (!info || info.audio.length === 0) return undefined
  try {
    const analysis = await findKeptSound(context, job, info, defaultTrackOf(info))
    return await overviewOf(analysis, shown, (at) => context.waveforms.tile(job.accountId, analysis, at))
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}

/** What the page says of a cut in words. */
const receiptSchema = z.object({
  receipt: z.object({
    joints: z.number(),
    drift_ms: z.number(),
    audio_video_offset_ms: z.number().nullable(),
    mode: z.string(),
    loudness: z.array(z.object({ integrated_lufs: z.number() })).optional(),
  }),
})

interface StoredFile {
  readonly objectKey: string
  readonly fileName: string
  readonly contentType: string
}

async function sign(
  context: Pick<ShownContext, 'storage'>,
  file: JobWithOutputs['outputs'][number],
  allowDownload: boolean,
) {
  const { fileName: name, contentType: content_type, durationSeconds: duration_seconds, width, height } = file
  const urls = await signedUrls(context, file, allowDownload)
  return { name, content_type, bytes: Number(file.bytes), duration_seconds, width, height, ...urls }
}

async function signedUrls(
  { storage }: Pick<ShownContext, 'storage'>,
  { objectKey: key, fileName, contentType }: StoredFile,
  allowDownload: boolean,
) {
  const file = { key, fileName, contentType, expiresInSeconds: mediaUrlSeconds }
  const { url } = await storage.presignGet(file)
  if (!allowDownload) return { url }
  return { url, download_url: (await storage.presignGet({ ...file, asAttachment: true })).url }
}

/** Undefined if the upload was deleted meanwhile. */
async function signedSource(context: ShownContext, share: OpenedShare, job: Pick<Job, 'mediaKey'> | undefined) {
  const { mediaKey: key = null } = job ?? {}
  const upload = key === null ? null : await findUploadOf(context.db, share.accountId, key)
  if (!upload) return undefined
  const { fileName: name, contentType: content_type } = upload
  return { name, content_type, ...(await signedUrls(context, upload, share.allowDownload)) }
}

/** What is said, in lines; of a cut, what is still said. */
async function transcriptOf(heard: readonly JobWithOutputs[], ranges: readonly ShownRange[] | undefined) {
  for (const { result } of heard) {
    const lines = await captionEntries(result, ranges)
    if (lines) return lines.slice(0, maxShown).map(({ start, end, label }) => ({ start, end, text: label }))
  }
  return undefined
}
