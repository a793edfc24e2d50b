import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { quoted } from '../../src/core/text.ts'
import { failureOfJob, failureSchema } from '../../src/store/job-documents.ts'
import { hasEnded, type JobWithOutputs } from '../../src/store/jobs.ts'
import type { RunWithJobs } from '../../src/store/runs.ts'
import { withResults } from '../jobs/find.ts'
import { type JobBody, type PresentContext, presentJobPage } from '../jobs/present.ts'
import { readJob } from '../jobs/read.ts'
import { defaultFindings, pageOfResult } from '../jobs/result-page.ts'
import { presentRun, presentRunSummary, savedBy } from '../runs/present.ts'
import { findOwnRun } from '../runs/read.ts'
import type { RunBody } from '../runs/schema.ts'
import type { FileLink, KeyCall, ToolAnswer } from './define-tool.ts'
import { describeSaved } from './result-text.ts'

/** A job in tool answers, as REST shows it. The schema lists the fields that decide the next call. */
export const toolJob = z
  .looseObject({ id: z.string(), status: z.string().describe('queued, running, completed or failed.') })
  .describe('With endpoint, progress, prices, warnings, error, and the result once it is completed.')

export const jobAnswer = z.object({
  job_id: z.string(),
  job: toolJob,
  page: z.looseObject({}).optional().describe('Of a long result, which svc.get_job_result continues.'),
})

/** The job with newly signed URLs and the beginning of its result, the next call, and a link to each file. */
export async function answerJob(
  context: PresentContext,
  job: JobWithOutputs,
): Promise<ToolAnswer<z.output<typeof jobAnswer>>> {
  const body = await presentJobPage(context, job, { limit: defaultFindings })
  return { structured: { job_id: job.id, ...body }, text: describe(body.job), links: linksOf(job, body.job) }
}

function describe({
  id,
  status,
  status_detail,
  progress,
  error,
  warnings,
  final_price_usd: price = 0,
}: JobBody): string {
  if (status_detail === 'canceling') return describeCanceling('Job', id)
  if (status === 'failed') return `Job ${id} failed and costs nothing. ${error?.code}: ${error?.message}`
  const warned = describeWarnings(warnings)
  if (status === 'completed')
    return `Job ${id} is completed for ${price} USD.${warned} Its result is in structuredContent. To read it as text, call svc.get_job_result.`
  return `Job ${id} is ${status} (${Math.round(progress * 100)} %).${warned} Next: svc.get_job with wait_seconds 30, until it has ended.`
}

export function describeWarnings(warnings: readonly string[] = []): string {
  return warnings.map((warning) => ` Warning: ${warning}`).join('')
}

const file = z.object({ url: z.string(), bytes: z.number(), content_type: z.string() })
const files = z.object({ output: file.optional(), outputs: z.array(file).optional() })

/** The media files of a presented job. */
export function linksOf({ outputs }: JobWithOutputs, { result }: Pick<JobBody, 'result'>): FileLink[] {
  const { output, outputs: several = output ? [output] : [] } = files.parse(result ?? {})
  const names = outputs.filter(({ role }) => role === 'media').map(({ fileName }) => fileName)
  return several.map(({ url, bytes, content_type: contentType }, index) => ({
    url,
    name: names[index] ?? 'output',
    contentType,
    bytes,
  }))
}

/** For clients that show a model only texts: a line for each file. */
export function describeLinks(links: readonly FileLink[]): string {
  return links.map(({ name, url }) => `- ${quoted(name)}: ${url}\n`).join('')
}

/** A run in tool answers, as REST shows it. */
export const toolRun = z
  .looseObject({ id: z.string(), status: z.string() })
  .describe(
    'With steps, each with its job_id and job, prices, warnings, error, and saved: what a chain took out. The last step has the result.',
  )

/** The answer of tools that take the id of a job or of a run. */
export const jobOrRunAnswer = jobAnswer.partial().extend({
  run: toolRun.optional().describe('Instead of job and job_id, if the id is that of a run.'),
})

/** The run with the beginning of its result, the next call, and a link to each file of its last step. */
export async function answerRun(
  context: PresentContext,
  run: RunWithJobs,
): Promise<ToolAnswer<z.output<typeof jobOrRunAnswer>>> {
  // The last step has it.
  const { result: _, ...body } = await presentRun(context, run)
  const last = body.steps.at(-1)
  const job = run.jobs.find(({ id }) => id === last?.job_id)
  const links = last?.job && job ? linksOf(job, last.job) : []
  const text = describeRun(body)
  if (!last?.job?.result) return { structured: { run: body }, text, links }
  const { result, page } = pageOfResult(last.job.result, { limit: defaultFindings })
  const steps = [...body.steps.slice(0, -1), { ...last, job: { ...last.job, result } }]
  return { structured: { run: { ...body, steps }, page }, text, links }
}

export function describeRun(run: RunBody): string {
  const { id, status, status_detail, error, saved, price_usd, price_limit_usd, steps } = run
  if (status_detail === 'canceling') return describeCanceling('Run', id)
  if (status === 'failed')
    return `Run ${id} failed; its completed steps cost ${price_usd} USD. ${error?.code}: ${error?.message}`
  const shorter = saved ? ` ${describeSaved(saved)}` : ''
  if (status === 'completed')
    return `Run ${id} is completed for ${price_usd} USD.${shorter} Next: svc.get_job_result with ${id} as job_id.`
  const progress = steps.reduce((sum, { job }) => sum + (job?.progress ?? 0), 0) / steps.length
  return `Run ${id} is ${status} (${Math.round(progress * 100)} %), for at most ${price_limit_usd} USD. Next: svc.get_job with ${id} as job_id and wait_seconds 30, until it has ended.`
}

function describeCanceling(what: 'Job' | 'Run', id: string): string {
  return `${what} ${id} is being canceled. Next: svc.get_job with ${id} as job_id and wait_seconds 30, until it has ended.`
}

/** A completed job, or the last job of a completed run. Throws the error if it failed, and `conflict` while it is open. */
export async function completedJob(call: KeyCall, id: string): Promise<JobWithOutputs> {
  return (await completedWork(call, id)).job
}

export interface CompletedWork {
  /** The job, or the last one of a run. */
  readonly job: JobWithOutputs
  /** All jobs of the run, in order, or the job alone. */
  readonly jobs: readonly JobWithOutputs[]
  readonly run?: Pick<RunBody, 'id' | 'price_usd' | 'warnings' | 'saved'>
}

/** The same, with the whole run. */
export async function completedWork(call: KeyCall, id: string): Promise<CompletedWork> {
  const { context, credential: reader, signal } = call
  if (isId('run', id)) return workOfRun(call, id)
  const job = await readJob(context, { reader, jobId: id, waitSeconds: 0, signal })
  const failure = failureOfJob(job)
  if (failure) throw new ServiceError(failure.code, failure.message, { jobId: id })
  if (!hasEnded(job))
    throw new ServiceError('conflict', `This job is ${job.status}. Wait until it has ended.`, { jobId: id })
  return { job, jobs: [job] }
}

async function workOfRun({ context, credential: reader }: KeyCall, runId: string): Promise<CompletedWork> {
  const found = await findOwnRun(context, reader, runId)
  if (found.error !== null) {
    const { code, message } = failureSchema.parse(found.error)
    throw new ServiceError(code, message)
  }
  const run = found.endedAt && (await withResults(context, found))
  const job = run?.jobs.at(-1)
  if (!run || !job) throw new ServiceError('conflict', 'This run has not ended. Wait for its end with svc.get_job.')
  const { price_usd, warnings } = presentRunSummary(context, run)
  return { job, jobs: run.jobs, run: { id: runId, price_usd, warnings, saved: savedBy(run) } }
}
