import { z } from 'zod'
import { type EditRateName, editRates } from '../../src/core/edit-rate.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { exportName } from '../../src/core/file-names.ts'
import { collectInTurns } from '../../src/core/turns.ts'
import { audioTrack } from '../../src/endpoints/fields.ts'
import { inCutFile } from '../../src/exports/cut-file.ts'
import { describeExport } from '../../src/exports/export-document.ts'
import { type ExportListName, exportEntries, hasEntries } from '../../src/exports/export-entries.ts'
import {
  annotationFormatNames,
  type ExportFormat,
  type ExportFormatName,
  exportFormats,
} from '../../src/exports/export-formats.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { mediaInfoOf } from '../../src/store/job-documents.ts'
import type { JobWithOutputs } from '../../src/store/jobs.ts'
import type { ResultContext } from '../jobs/find.ts'
import { findJobOnMedia } from '../jobs/read.ts'
import { captionEntries } from './caption-entries.ts'
import { findCompletedJob, findCompletedRun } from './find-completed.ts'
import { findCutFile } from './find-cut-file.ts'

export interface ExportInput {
  readonly format: ExportFormatName
  readonly list?: ExportListName | undefined
  readonly rate?: EditRateName | undefined
  /** The job or the run in whose file the times are. */
  readonly outputOf?: string | undefined
}

export interface ExportedFile {
  readonly fileName: string
  readonly contentType: string
  readonly text: string
}

/** The result of a completed job as a file for other programs. Throws `conflict` before the end, `not_found` for others' jobs. */
export async function exportJob(
  context: ResultContext,
  reader: Credential,
  jobId: string,
  input: ExportInput,
): Promise<ExportedFile> {
  return exportResult(context, reader, await findCompletedJob(context, reader, jobId), input)
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
  const lastWith = (list?: ExportListName) => jobs.findLast((each) => hasEntries(resultOf(each), list))
  const job = (input.list && lastWith(input.list)) ?? (isCaptions && lastWith('sentences')) ?? lastWith() ?? jobs.at(-1)
  if (!job) throw new TypeError('a completed run has jobs')
  return exportResult(context, reader, job, input)
}

async function exportResult(
  context: ResultContext,
  reader: Credential,
  job: JobWithOutputs,
  { format, list, rate, outputOf }: ExportInput,
): Promise<ExportedFile> {
  const { extension, contentType, write, isCaptions, isEdit }: ExportFormat = exportFormats[format]
  if (outputOf !== undefined && isEdit)
    throw new ServiceError(
      'invalid_request',
      `output_of: ${format} is an edit of the source, with its times. Leave output_of out, or use as=${annotationFormatNames.join(', ')}.`,
    )
  const source = (await findJobOnMedia(context.db, reader, job)) ?? job
  const media = mediaInfoOf(source)
  const cutFile = outputOf === undefined ? undefined : await findCutFile(context, reader, outputOf, media)
  const result = resultOf(job)
  const captions = isCaptions && list === undefined ? await captionEntries(result, cutFile?.ranges) : undefined
  const ofSource = describeExport({
    mediaName: source.mediaName ?? 'media',
    entries: captions ?? (await exportEntries(result, list, isCaptions && 'sentences')),
    media,
    searched: searchedTracks.safeParse(source.settings).data?.audio_track,
    rate: rate && editRates[rate],
  })
  const document = cutFile ? inCutFile(ofSource, cutFile, captions) : ofSource
  const text = (await collectInTurns(write(document))).join('')
  return { fileName: exportName(document.mediaName, format, extension), contentType, text }
}

const searchedTracks = z.looseObject({ audio_track: audioTrack })

function resultOf({ result }: JobWithOutputs): Readonly<Record<string, unknown>> {
  return z.looseObject({}).parse(result)
}
