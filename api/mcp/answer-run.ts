import { z } from 'zod'
import type { RunWithJobs } from '../../src/store/runs.ts'
import type { ApiContext } from '../context.ts'
import { presentRun } from '../present-run.ts'
import { type RunBody, runSchema } from '../schemas/workflow.ts'
import { linksOf, toolJob } from './answer-job.ts'
import type { ToolAnswer } from './define-tool.ts'

const step = z.object({ endpoint: z.string(), job_id: z.string(), job: toolJob.optional() })

/** A run, as tools give it. */
export const toolRun = runSchema.extend({ steps: z.array(step) })

/** The run, what to do next, and a link to each file that its last step made. */
export async function answerRun(context: ApiContext, run: RunWithJobs): Promise<ToolAnswer<RunBody>> {
  const structured = await presentRun(context, run)
  const last = structured.steps.at(-1)?.job
  const job = run.jobs.find(({ id }) => id === last?.id)
  return { structured, text: describeRun(structured), links: last && job ? linksOf(job, last) : [] }
}

export function describeRun({ id, status, steps, error, price_usd, price_limit_usd }: RunBody): string {
  if (status === 'failed')
    return `Run ${id} failed; the steps that completed cost ${price_usd} USD. ${error?.code}: ${error?.message}`
  if (status === 'completed')
    return `Run ${id} is completed for ${price_usd} USD. Next: svc.get_job_result of its last job, ${steps.at(-1)?.job_id}.`
  return `Run ${id} is ${status}, for at most ${price_limit_usd} USD. Next: svc.get_job with ${id} as job_id and wait_seconds 30, until it has ended.`
}
