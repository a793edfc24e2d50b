import type { Credential } from '../../src/accounts/credentials.ts'
import { editRates } from '../../src/core/edit-rate.ts'
import { invalidRequest, ServiceError } from '../../src/core/errors.ts'
import { exportName } from '../../src/core/file-names.ts'
import { joinInTurns } from '../../src/core/turns.ts'
import { syncResult } from '../../src/endpoints/timeline-sync/declaration.ts'
import { angleFormatNames, type ExportFormat, exportFormats } from '../../src/exports/export-formats.ts'
import { describeMulticam, type SyncedRecording } from '../../src/exports/multicam.ts'
import { type JobWithOutputs, mediaInfoOf } from '../../src/jobs/job-rows.ts'
import type { ResultContext } from '../jobs/read.ts'
import type { ExportedFile, ExportInput } from './export-result.ts'
import { findCompletedJob, findSource } from './find-exported.ts'

/** The recordings that a job of timeline/sync placed, as angles of a multicam clip. */
export async function exportAngles(
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
