import { z } from 'zod'
import type { Config } from '../../src/config.ts'
import { toUsd } from '../../src/core/money.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { failureOfJob, mediaInfoOf } from '../../src/store/job-documents.ts'
import type { Job, JobWithOutputs } from '../../src/store/jobs.ts'
import type { Output } from '../../src/store/outputs.ts'
import { errorBodyOf } from '../http/errors.ts'
import type { jobSchema } from './schema.ts'

const outputUrlSeconds = 3600

type Presenter = { readonly config: Pick<Config, 'BASE_URL'>; readonly storage: Pick<Storage, 'presignGet'> }
export type JobBody = z.output<typeof jobSchema>

const resultDocument = z.looseObject({ receipts: z.array(z.unknown()).optional() })

/** A job as in responses, with newly signed output URLs. */
export async function presentJob(deps: Presenter, job: JobWithOutputs): Promise<JobBody> {
  const summary = presentJobSummary(deps, job)
  if (job.result === null) return summary
  const result = resultDocument.parse(job.result)
  return { ...summary, result: { ...result, ...(await presentOutputs(deps, job.outputs, result.receipts)) } }
}

/** The same without the result, as in lists. */
export function presentJobSummary({ config }: Pick<Presenter, 'config'>, job: Job): JobBody {
  const failure = failureOfJob(job)
  return {
    id: job.id,
    endpoint: job.endpoint,
    status: job.status,
    progress: job.progress,
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

async function presentOutputs(
  { storage }: Presenter,
  outputs: readonly Output[],
  receipts: readonly unknown[] | undefined,
): Promise<Record<string, unknown>> {
  const media = outputs.filter(({ role }) => role === 'media')
  const files = await Promise.all(media.map((output) => presentClip(storage, output, posterOf(outputs, output))))
  const [first] = files
  if (!first) return presentPreview(storage, outputs)
  const receiptOf = (index: number) => (receipts ? { receipt: receipts[index] } : {})
  return {
    output: first,
    output_url: first.url,
    ...(files.length > 1 ? { outputs: files.map((file, index) => ({ ...file, ...receiptOf(index) })) } : {}),
  }
}

/** The poster of a file: the preview right after it. */
function posterOf(outputs: readonly Output[], { position }: Output): Output | undefined {
  return outputs.find((output) => output.role === 'preview' && output.position === position + 1)
}

async function presentClip(storage: Presenter['storage'], output: Output, poster: Output | undefined) {
  const file = await presentOutput(storage, output)
  if (!poster) return { ...file, poster: null }
  const { duration: _, ...picture } = await presentOutput(storage, poster)
  return { ...file, poster: picture }
}

/** The preview of a result without files. */
async function presentPreview(storage: Presenter['storage'], outputs: readonly Output[]) {
  const output = outputs.find(({ role }) => role === 'preview')
  if (!output) return {}
  const { url, expires_at, content_type } = await presentOutput(storage, output)
  return { preview: { url, expires_at, content_type } }
}

async function presentOutput(storage: Presenter['storage'], output: Output) {
  const { objectKey: key, fileName, contentType } = output
  const { url, expiresAt } = await storage.presignGet({
    key,
    fileName,
    contentType,
    expiresInSeconds: outputUrlSeconds,
  })
  return {
    url,
    expires_at: expiresAt.toISOString(),
    bytes: Number(output.bytes),
    content_type: contentType,
    duration: output.durationSeconds,
    width: output.width,
    height: output.height,
  }
}
