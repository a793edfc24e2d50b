import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { exportName } from '../../src/core/file-names.ts'
import { type EditRateName, editRates } from '../../src/exports/edit-rate.ts'
import { describeExport } from '../../src/exports/export-document.ts'
import { type ExportListName, exportEntries, hasEntries } from '../../src/exports/export-entries.ts'
import { type ExportFormat, type ExportFormatName, exportFormats } from '../../src/exports/export-formats.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { mediaInfoOf } from '../../src/store/job-documents.ts'
import { findJob, type JobWithOutputs } from '../../src/store/jobs.ts'
import type { ApiContext } from '../http/context.ts'
import { assertJobId, findJobOnMedia, noSuchJob } from '../jobs/read.ts'
import { statusOf } from '../runs/present.ts'
import { findOwnRun } from '../runs/read.ts'

export interface ExportInput {
  readonly format: ExportFormatName
  readonly list?: ExportListName | undefined
  readonly rate?: EditRateName | undefined
}

export interface ExportedFile {
  readonly fileName: string
  readonly contentType: string
  readonly text: string
}

type ExportContext = Pick<ApiContext, 'db'>

/** The result of a completed job as a file for other programs. Throws `conflict` before the end, `not_found` for others' jobs. */
export async function exportJob(
  { db }: ExportContext,
  reader: Credential,
  jobId: string,
  input: ExportInput,
): Promise<ExportedFile> {
  const job = await findJob(db, reader, assertJobId(jobId))
  if (!job) throw noSuchJob()
  if (job.status !== 'completed')
    throw new ServiceError(
      'conflict',
      `This job is ${job.status}, and only a completed job can be exported. ${job.status === 'failed' ? 'Create another one.' : `Wait for it with GET /v1/jobs/${job.id}?wait=20.`}`,
      { jobId },
    )
  return exportResult(job, (await findJobOnMedia(db, reader, job)) ?? job, input)
}

/** The last step of a completed run whose result has the times, as `exportJob` exports it. */
export async function exportRun(
  { db }: ExportContext,
  reader: Credential,
  runId: string,
  input: ExportInput,
): Promise<ExportedFile> {
  const run = await findOwnRun({ db }, reader, runId)
  const status = statusOf(run)
  if (status !== 'completed')
    throw new ServiceError(
      'conflict',
      `This run is ${status}, and only a completed run can be exported. Wait for it with GET /v1/workflow-runs/${run.id}?wait=20, or export one of its jobs.`,
    )
  const lastWith = (list?: ExportListName) => run.jobs.findLast((each) => hasEntries(resultOf(each), list))
  const job = lastWith(input.list) ?? lastWith() ?? run.jobs.at(-1)
  if (!job) throw new TypeError('a completed run has jobs')
  return exportResult(job, (await findJobOnMedia(db, reader, job)) ?? job, input)
}

function exportResult(job: JobWithOutputs, source: JobWithOutputs, { format, list, rate }: ExportInput): ExportedFile {
  const { extension, contentType, write, list: preferred }: ExportFormat = exportFormats[format]
  const mediaName = source.mediaName ?? 'media'
  const document = describeExport({
    mediaName,
    entries: exportEntries(resultOf(job), list, preferred),
    media: mediaInfoOf(source),
    rate: rate && editRates[rate],
  })
  return { fileName: exportName(mediaName, format, extension), contentType, text: write(document) }
}

function resultOf({ result }: JobWithOutputs): Readonly<Record<string, unknown>> {
  return z.looseObject({}).parse(result)
}
