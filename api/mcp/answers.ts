import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { failureOfJob } from '../../src/store/job-documents.ts'
import { hasEnded, type JobWithOutputs } from '../../src/store/jobs.ts'
import type { RunWithJobs } from '../../src/store/runs.ts'
import { type JobBody, type PresentContext, presentJob } from '../jobs/present.ts'
import { readJob } from '../jobs/read.ts'
import { jobSchema } from '../jobs/schema.ts'
import { presentRun } from '../runs/present.ts'
import { type RunBody, runSchema } from '../runs/schema.ts'
import type { FileLink, KeyCall, ToolAnswer } from './define-tool.ts'

/** A job in tool answers. svc.get_endpoint_schema returns the result's schema. */
export const toolJob = jobSchema.extend({
  result: z.record(z.string(), z.unknown()).optional().describe('On completed jobs: the result of the endpoint.'),
})

export const jobAnswer = z.object({ job_id: z.string(), job: toolJob })

/** The job with newly signed URLs, the next call, and a link to each file. */
export async function answerJob(
  context: PresentContext,
  job: JobWithOutputs,
): Promise<ToolAnswer<z.output<typeof jobAnswer>>> {
  const body = await presentJob(context, job)
  return { structured: { job_id: job.id, job: body }, text: describe(body), links: linksOf(job, body) }
}

function describe({ id, status, progress, error, final_price_usd: price = 0 }: JobBody): string {
  if (status === 'failed') return `Job ${id} failed and costs nothing. ${error?.code}: ${error?.message}`
  if (status === 'completed') return `Job ${id} is completed for ${price} USD. Next: svc.get_job_result.`
  return `Job ${id} is ${status} (${Math.round(progress * 100)} %). Next: svc.get_job with wait_seconds 30, until it has ended.`
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

const step = z.object({ endpoint: z.string(), job_id: z.string().optional(), job: toolJob.optional() })

/** A run in tool answers. */
export const toolRun = runSchema.extend({ steps: z.array(step) })

/** The run, the next call, and a link to each file of its last step. */
export async function answerRun(context: PresentContext, run: RunWithJobs): Promise<ToolAnswer<RunBody>> {
  const structured = await presentRun(context, run)
  const last = structured.steps.at(-1)?.job
  const job = run.jobs.find(({ id }) => id === last?.id)
  return { structured, text: describeRun(structured), links: last && job ? linksOf(job, last) : [] }
}

export function describeRun({ id, status, steps, error, price_usd, price_limit_usd }: RunBody): string {
  if (status === 'failed')
    return `Run ${id} failed; its completed steps cost ${price_usd} USD. ${error?.code}: ${error?.message}`
  if (status === 'completed')
    return `Run ${id} is completed for ${price_usd} USD. Next: svc.get_job_result for its last job, ${steps.at(-1)?.job_id}.`
  return `Run ${id} is ${status}, for at most ${price_limit_usd} USD. Next: svc.get_job with ${id} as job_id and wait_seconds 30, until it has ended.`
}

/** A completed job. Throws the job's error if it failed, and `conflict` while it is open. */
export async function completedJob(
  { context, credential: reader, signal }: KeyCall,
  jobId: string,
): Promise<JobWithOutputs> {
  const job = await readJob(context, { reader, jobId, waitSeconds: 0, signal })
  const failure = failureOfJob(job)
  if (failure) throw new ServiceError(failure.code, failure.message, { jobId })
  if (!hasEnded(job))
    throw new ServiceError('conflict', `This job is ${job.status}. Wait until it has ended.`, { jobId })
  return job
}
