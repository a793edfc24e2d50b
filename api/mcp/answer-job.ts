import { z } from 'zod'
import type { JobWithOutputs } from '../../src/store/jobs.ts'
import type { ApiContext } from '../context.ts'
import { type JobBody, presentJob } from '../present-job.ts'
import { jobSchema } from '../schemas/job.ts'
import type { FileLink, ToolAnswer } from './define-tool.ts'

/** A job, as tools give it. The result's schema is told by svc.get_endpoint_schema. */
export const toolJob = jobSchema.extend({
  result: z.record(z.string(), z.unknown()).optional().describe('On completed jobs: the result of the endpoint.'),
})

export const jobAnswer = z.object({ job_id: z.string(), job: toolJob })

/** The job with freshly signed URLs, what to do next, and a link to each file. */
export async function answerJob(
  context: ApiContext,
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
