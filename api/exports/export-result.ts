import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { placeWords, type ShownRange } from '../../src/core/captions.ts'
import { type EditRateName, editRates } from '../../src/core/edit-rate.ts'
import { invalidRequest, ServiceError } from '../../src/core/errors.ts'
import { exportName } from '../../src/core/file-names.ts'
import { isId } from '../../src/core/ids.ts'
import { parseItems } from '../../src/core/long-json.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { otherLength } from '../../src/core/same-media.ts'
import { subtitlesOf } from '../../src/core/sentences.ts'
import { collectInTurns, joinInTurns } from '../../src/core/turns.ts'
import { exportableResult } from '../../src/endpoints/catalog.ts'
import { audioTrack } from '../../src/endpoints/fields.ts'
import { syncEndpoint, syncResult } from '../../src/endpoints/timeline-sync/declaration.ts'
import { type CutFile, cutFileOf, inCutFile } from '../../src/exports/cut-file.ts'
import { describeExport, type ExportEntry, type ExportPurpose, isMoment } from '../../src/exports/export-document.ts'
import { exportEntries, hasEntries } from '../../src/exports/export-entries.ts'
import {
  angleFormatNames,
  annotationFormatNames,
  type ExportFormat,
  type ExportFormatName,
  exportFormats,
  markerFormatNames,
} from '../../src/exports/export-formats.ts'
import { describeMulticam, type SyncedRecording } from '../../src/exports/multicam.ts'
import { type JobWithOutputs, mediaInfoOf } from '../../src/jobs/job-rows.ts'
import { spokenWord } from '../../src/models/models.ts'
import type { ResultContext } from '../jobs/read.ts'
import { findCompletedJob, findCompletedRun, findSource, notCompleted } from './find-exported.ts'

export interface ExportInput {
  readonly format: ExportFormatName
  readonly list?: string | undefined
  /** Without it, markers for moments and for several jobs, otherwise cuts. */
  readonly what?: ExportPurpose | undefined
  /** Further jobs on the same media, whose entries are markers too. */
  readonly others?: readonly OtherList[] | undefined
  readonly rate?: EditRateName | undefined
  readonly mediaPath?: string | undefined
  readonly reel?: string | undefined
  readonly recordStart?: string | undefined
  /** The job or the run in whose file the times are. */
  readonly outputOf?: string | undefined
}

interface OtherList {
  readonly jobId: string
  /** Of its result. Without it, the one that it is exported by. */
  readonly list?: string | undefined
}

export interface ExportedFile {
  readonly fileName: string
  readonly contentType: string
  readonly text: string
  /** What the program that reads it does not show. */
  readonly warnings: readonly string[]
}

/** The result of a completed job as a file for other programs. Throws `conflict` before the end, `not_found` for others' jobs. */
export async function exportJob(
  context: ResultContext,
  reader: Credential,
  jobId: string,
  input: ExportInput,
): Promise<ExportedFile> {
  const job = await findCompletedJob(context, reader, jobId)
  const write = job.endpoint === syncEndpoint.id ? exportAngles : exportResult
  return write(context, reader, job, input)
}

/** The last step of a completed run whose result has the times, as `exportJob` exports it. */
export async function exportRun(
  context: ResultContext,
  reader: Credential,
  runId: string,
  input: ExportInput,
): Promise<ExportedFile> {
  const { jobs } = await findCompletedRun(context, reader, runId)
  const { isCaptions }: ExportFormat = exportFormats[input.format]
  const lastWith = (list?: string) => jobs.findLast((each) => hasEntries(exportableResult(each), list))
  const job = (input.list && lastWith(input.list)) ?? (isCaptions && lastWith('sentences')) ?? lastWith() ?? jobs.at(-1)
  if (!job) throw new TypeError('a completed run has jobs')
  return exportResult(context, reader, job, input)
}

async function exportResult(
  context: ResultContext,
  reader: Credential,
  job: JobWithOutputs,
  input: ExportInput,
): Promise<ExportedFile> {
  const { format, list, rate, outputOf, others, mediaPath, reel, recordStart } = input
  const { extension, contentType, write, warn, isCaptions, isEdit }: ExportFormat = exportFormats[format]
  if (outputOf !== undefined && isEdit)
    throw new ServiceError(
      'invalid_request',
      `output_of: ${format} is an edit of the source, with its times. Leave output_of out, or use as=${annotationFormatNames.join(', ')}.`,
    )
  const source = await findSource(context, reader, job)
  const media = mediaInfoOf(source)
  const cutFile = outputOf === undefined ? undefined : await findCutFile(context, reader, outputOf, media)
  const exported = exportableResult(job)
  const captions = isCaptions && list === undefined ? await captionEntries(exported.result, cutFile?.ranges) : undefined
  const found = captions ?? (await exportEntries(exported, list, isCaptions ? 'sentences' : undefined))
  const entries = withKindsApart([found, ...(await listsOfOthers(context, reader, others, media))])
  const what = purposeOf(entries, input)
  const ofSource = describeExport({
    mediaName: source.mediaName ?? 'media',
    entries,
    what,
    media,
    searched: searchedTracks.safeParse(source.settings).data?.audio_track,
    rate: rate && editRates[rate],
    ...{ mediaPath, reel, recordStart },
  })
  const document = cutFile ? inCutFile(ofSource, cutFile, captions) : ofSource
  const text = await joinInTurns(write(document))
  const fileName = exportName(document.mediaName, format, extension)
  return { fileName, contentType, text, warnings: warn?.(document) ?? [] }
}

async function listsOfOthers(
  context: ResultContext,
  reader: Credential,
  others: readonly OtherList[] = [],
  media: MediaInfo | undefined,
): Promise<ExportEntry[][]> {
  const lists: ExportEntry[][] = []
  for (const { jobId, list } of others) {
    const job = await findCompletedJob(context, reader, jobId)
    const length = mediaInfoOf(await findSource(context, reader, job))?.durationSeconds
    const other = media && length !== undefined && otherLength(length, media.durationSeconds)
    if (other) throw invalidRequest(`jobs: ${jobId} ${other} Send jobs on the same media.`)
    lists.push(await exportEntries(exportableResult(job), list))
  }
  return lists
}

/** The entries of all lists. A kind that an earlier list has is numbered, so that each list has a name and a colour of its own. */
function withKindsApart(lists: readonly (readonly ExportEntry[])[]): ExportEntry[] {
  const counts = new Map<string, number>()
  return lists.flatMap((list) => {
    const kind = list[0]?.kind
    if (kind === undefined) return list
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count === 1 ? list : list.map((entry) => ({ ...entry, kind: `${kind} ${count}` }))
  })
}

function purposeOf(entries: readonly ExportEntry[], { format, what: asked, others = [] }: ExportInput): ExportPurpose {
  const { isEdit, isMarkers }: ExportFormat = exportFormats[format]
  const isOfMoments = entries.every(isMoment)
  const what = asked ?? (others.length > 0 || isOfMoments ? 'markers' : 'cuts')
  if (what === 'markers' && !isMarkers)
    throw invalidRequest(
      `as: ${format} has no markers. For moments, for several jobs and with what=markers, use as=${markerFormatNames.join(', ')}.`,
    )
  if (what === 'cuts' && others.length > 0)
    throw invalidRequest('what: the entries of several jobs are markers. Send what=markers, or leave jobs out.')
  if (what === 'cuts' && isEdit && isOfMoments)
    throw invalidRequest('what: moments have no length to cut. Send what=markers.')
  return what
}

const searchedTracks = z.looseObject({ audio_track: audioTrack })

const spoken = z.object({ transcript: z.object({ words: z.array(z.unknown()).min(1) }) })

/**
 * What is said, in lines that can be read, as the captions of clips are. With `ranges`, where a file shows them. Undefined if the
 * result does not list its words.
 */
export async function captionEntries(
  result: unknown,
  ranges: readonly ShownRange[] | undefined,
): Promise<ExportEntry[] | undefined> {
  const { data } = spoken.safeParse(result)
  if (!data) return undefined
  const words = await parseItems(spokenWord, data.transcript.words)
  const lines = await collectInTurns(subtitlesOf(ranges ? placeWords(words, ranges) : words))
  return lines.map(({ text, ...span }) => ({ ...span, label: text }))
}

/** The one file that a job, or the last step of a run, cut from the media. Throws `invalid_request` if it read other media. */
async function findCutFile(
  context: ResultContext,
  reader: Credential,
  id: string,
  media: MediaInfo | undefined,
): Promise<CutFile> {
  const job = isId('run', id)
    ? (await findCompletedRun(context, reader, id, notCompleted)).jobs.at(-1)
    : await findCompletedJob(context, reader, id)
  const fileName = job?.outputs.find(({ role }) => role === 'media')?.fileName ?? 'clip'
  const file = cutFileOf({ id, result: job?.result, fileName })
  const other = media && otherLength(file.sourceSeconds, media.durationSeconds)
  if (!other) return file
  throw new ServiceError(
    'invalid_request',
    `output_of: the cut of ${id} ${other} Send a job or run that cut this media, or leave output_of out.`,
  )
}

/** The recordings that a job of timeline/sync placed, as angles of a multicam clip. */
async function exportAngles(
  context: ResultContext,
  reader: Credential,
  job: JobWithOutputs,
  { format, rate, mediaPath, recordStart, ...others }: ExportInput,
): Promise<ExportedFile> {
  const { extension, contentType, writeAngles }: ExportFormat = exportFormats[format]
  if (!writeAngles)
    throw invalidRequest(`as: recordings of one event have no ${format}. Use as=${angleFormatNames.join(' or ')}.`)
  if (Object.values(others).some((value) => value !== undefined))
    throw invalidRequest('Recordings of one event are exported whole. Leave list, what, jobs, reel and output_of out.')
  if (mediaPath !== undefined && !/[\\/]$/.test(mediaPath))
    throw invalidRequest('media_path: send the folder of all recordings, with a slash at its end.')
  const [first, ...more] = await recordingsOf(context, reader, job)
  if (!first || more.length === 0)
    throw invalidRequest(
      'This result has fewer than two recordings with a place and a job. Create a job of timeline/sync with job_ids.',
    )
  if (new Set([first, ...more].map(({ mediaName }) => mediaName)).size <= more.length)
    throw invalidRequest(
      'Two recordings have the same file name, so that an editor would play one for both. Upload them with different names, and sync again.',
    )
  const multicam = describeMulticam([first, ...more], { rate: rate && editRates[rate], mediaPath, recordStart })
  const text = await joinInTurns(writeAngles(multicam))
  return { fileName: exportName(first.mediaName, format, extension), contentType, text, warnings: [] }
}

async function recordingsOf(context: ResultContext, reader: Credential, { result }: JobWithOutputs) {
  const found: SyncedRecording[] = []
  for (const { job_id: jobId, synced, offset_seconds, drift_ppm } of syncResult.parse(result).recordings) {
    if (!synced || jobId === undefined) continue
    const job = await findCompletedJob(context, reader, jobId).catch((cause: unknown) => {
      throw cause instanceof ServiceError && cause.code === 'not_found' ? noRecording(jobId, cause) : cause
    })
    const source = await findSource(context, reader, job)
    const media = mediaInfoOf(source)
    if (!media) throw invalidRequest(`What is known of the media of ${jobId} is not kept any more. Sync new jobs.`)
    const [offsetSeconds, driftPpm] = [offset_seconds ?? 0, drift_ppm ?? 0]
    found.push({ mediaName: source.mediaName ?? 'media', media, offsetSeconds, driftPpm })
  }
  return found
}

function noRecording(jobId: string, cause: unknown): ServiceError {
  return new ServiceError(
    'not_found',
    `The job of a recording, ${jobId}, was deleted, or the key does not cover it. Run timeline/sync on other jobs.`,
    { jobId, cause },
  )
}
