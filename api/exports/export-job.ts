import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { outputNames } from '../../src/core/file-names.ts'
import { type EditRateName, editRates } from '../../src/exports/edit-rate.ts'
import { describeExport } from '../../src/exports/export-document.ts'
import { type ExportListName, exportEntries } from '../../src/exports/export-entries.ts'
import { type ExportFormat, type ExportFormatName, exportFormats } from '../../src/exports/export-formats.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { mediaInfoOf } from '../../src/store/job-documents.ts'
import { findJob, type JobWithOutputs } from '../../src/store/jobs.ts'
import type { ApiContext } from '../http/context.ts'
import { assertJobId, noSuchJob } from '../jobs/read.ts'

export interface ExportJobInput {
  readonly reader: Credential
  readonly jobId: string
  readonly format: ExportFormatName
  readonly list?: ExportListName | undefined
  readonly rate?: EditRateName | undefined
}

export interface ExportedFile {
  readonly fileName: string
  readonly contentType: string
  readonly text: string
}

/** The result of a completed job as a file for other programs. Throws `conflict` before the end, `not_found` for others' jobs. */
export async function exportJob(
  { db }: Pick<ApiContext, 'db'>,
  { reader, jobId, format, list, rate }: ExportJobInput,
): Promise<ExportedFile> {
  const job = await findJob(db, reader, assertJobId(jobId))
  if (!job) throw noSuchJob()
  if (job.status !== 'completed')
    throw new ServiceError(
      'conflict',
      `This job is ${job.status}, and only a completed job can be exported. Wait for it with GET /v1/jobs/${job.id}?wait=20.`,
      { jobId },
    )
  const source = await mediaOf(db, reader, job)
  const { extension, contentType, write, list: preferred }: ExportFormat = exportFormats[format]
  const mediaName = source.mediaName ?? 'media'
  const [fileName = `export.${extension}`] = outputNames([{ fileName: `${format}.${extension}` }], {
    source: mediaName,
  })
  const document = describeExport({
    mediaName,
    entries: exportEntries(z.looseObject({}).parse(job.result), list, preferred),
    media: mediaInfoOf(source),
    rate: rate && editRates[rate],
  })
  return { fileName, contentType, text: write(document) }
}

const earlierJob = z.object({ job_id: z.string() })

/** Timeline jobs read no media: the times are those of the media of the job that they were given. */
async function mediaOf(db: ApiContext['db'], reader: Credential, job: JobWithOutputs): Promise<JobWithOutputs> {
  if (job.mediaInfo !== null) return job
  const { data: earlier } = earlierJob.safeParse(job.settings)
  return (earlier && (await findJob(db, reader, earlier.job_id))) ?? job
}
