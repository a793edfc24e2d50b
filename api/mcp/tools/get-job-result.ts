import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { presentJob } from '../../jobs/present.ts'
import { completedJob, linksOf } from '../answers.ts'
import { defineTool, jobIdArgument, lookUp } from '../define-tool.ts'

export const getJobResultTool = defineTool({
  name: 'get_job_result',
  title: 'Get the result of a completed job',
  description:
    'Returns the result of a completed job, with a link to each file. Call it when the status of svc.get_job is completed. For a failed job it returns the error.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({ job_id: jobIdArgument }),
  output: z.object({
    job_id: z.string(),
    endpoint: z.string(),
    final_price_usd: z.number(),
    result: z.record(z.string(), z.unknown()).describe('The result that svc.get_endpoint_schema describes.'),
  }),
  run: async ({ job_id }, call) => {
    const job = await completedJob(call, job_id)
    const { endpoint, final_price_usd = 0, result = {} } = await presentJob(call.context, job)
    const links = linksOf(job, { result })
    const text =
      links.length > 0
        ? `${links.length === 1 ? 'One file' : `${links.length} files`}; the URLs are valid for an hour, and svc.regenerate_output_url signs new ones at no cost.`
        : 'The structured content has the result. Its times are in seconds; use them as start, end, moments or ranges of a clip.'
    return { structured: { job_id: job.id, endpoint, final_price_usd, result }, text, links }
  },
})
