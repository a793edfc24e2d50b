import type { z } from 'zod'
import type { Config } from '../../src/config.ts'
import { toUsd } from '../../src/core/money.ts'
import { presentResult, type SignedFile } from '../../src/endpoints/result-files.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { type Failure, failureOfJob, mediaInfoOf, metadataOf } from '../../src/store/job-documents.ts'
import { hasEnded, type Job, type JobWithOutputs, type ListedJob } from '../../src/store/jobs.ts'
import type { Output } from '../../src/store/outputs.ts'
import type { Run } from '../../src/store/runs.ts'
import { errorBodyOf } from '../http/errors.ts'
import { type PageQuery, pageOfResult, type ResultPage } from './result-page.ts'
import type { jobSchema, StatusDetail } from './schema.ts'

const outputUrlSeconds = 3600

export type PresentContext = {
  readonly config: Pick<Config, 'BASE_URL'>
  readonly storage: Pick<Storage, 'presignGet'>
}
export type JobBody = z.output<typeof jobSchema>

/** A job as in responses, with newly signed output URLs. */
export async function presentJob(deps: PresentContext, job: JobWithOutputs): Promise<JobBody> {
  const asked = presentSettings(job)
  const summary = { ...presentJobSummary(deps, job), ...asked }
  if (job.result === null) return summary
  return { ...summary, result: await presentResult(job.result, job.outputs, (...file) => signOutput(deps, ...file)) }
}

/** A job as in responses, with one page of its result. */
export async function presentJobPage(
  deps: PresentContext,
  job: JobWithOutputs,
  query: PageQuery,
): Promise<{ job: JobBody; page?: ResultPage }> {
  const body = await presentJob(deps, job)
  if (!body.result) return { job: body }
  const { result, page } = pageOfResult(body.result, query)
  return { job: { ...body, result }, page }
}

/** A job as in lists: without settings and result. */
export function presentJobSummary({ config }: Pick<PresentContext, 'config'>, job: ListedJob): JobBody {
  const failure = failureOfJob(job)
  return {
    id: job.id,
    endpoint: job.endpoint,
    run_id: job.runId ?? undefined,
    ...presentAsked(job),
    status: job.status,
    status_detail: statusDetailOf(failure, job.cancelRequestedAt !== null && !hasEnded(job)),
    // Rounded down, so that it is 1 only for a completed job.
    progress: Math.floor(job.progress * 1000) / 1000,
    media_seconds: mediaInfoOf(job)?.durationSeconds,
    estimated_price_usd: job.estimatedMicroUsd === null ? undefined : toUsd(job.estimatedMicroUsd),
    final_price_usd: job.finalMicroUsd === null ? undefined : toUsd(job.finalMicroUsd),
    error: failure && errorBodyOf(config, { ...failure, jobId: job.id }, job.requestId),
    warnings: job.warnings,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString(),
    ended_at: job.endedAt?.toISOString(),
  }
}

/** What the request asked for, without fields that it left out. */
export function presentAsked(row: AskedRow) {
  const { startSeconds, endSeconds } = row
  return {
    media: presentMedia(row),
    start: startSeconds ?? undefined,
    end: endSeconds ?? undefined,
    metadata: metadataOf(row),
  }
}

/** What a caller recognizes the media by. */
export function presentMedia({ mediaUrl, mediaKey, mediaName }: Pick<AskedRow, 'mediaUrl' | 'mediaKey' | 'mediaName'>) {
  if (mediaUrl === null) return undefined
  const host = mediaKey === null ? new URL(mediaUrl).host : undefined
  const [, uploadId] = /\/v1\/media\/(upl_\w+)$/.exec(mediaKey === null ? '' : mediaUrl) ?? []
  return { name: mediaName ?? undefined, upload_id: uploadId, host }
}

type AskedRow = Pick<ListedJob, 'mediaUrl' | 'mediaKey' | 'mediaName'> &
  Pick<Run, 'startSeconds' | 'endSeconds' | 'metadata'>

/** The settings that the request had, without the defaults that were filled in. */
function presentSettings({ settings, givenSettings }: Pick<Job, 'settings' | 'givenSettings'>) {
  if (givenSettings.length === 0 || typeof settings !== 'object' || settings === null) return {}
  const given = Object.entries(settings).filter(([name]) => givenSettings.includes(name))
  return { settings: Object.fromEntries(given) }
}

/** A cancellation ends as a failure, which people must not read as an error. */
export function statusDetailOf(failure: Failure | undefined, isCanceling: boolean): StatusDetail {
  if (isCanceling) return 'canceling'
  return failure?.code === 'canceled' ? 'canceled' : undefined
}

async function signOutput({ storage }: PresentContext, output: Output, asAttachment = false): Promise<SignedFile> {
  const { objectKey: key, fileName, contentType } = output
  const { url, expiresAt } = await storage.presignGet({
    key,
    fileName,
    contentType,
    expiresInSeconds: outputUrlSeconds,
    asAttachment,
  })
  return {
    name: fileName,
    url,
    expires_at: expiresAt.toISOString(),
    bytes: Number(output.bytes),
    content_type: contentType,
    duration: output.durationSeconds,
    width: output.width,
    height: output.height,
  }
}
