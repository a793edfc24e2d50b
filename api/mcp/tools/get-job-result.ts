import { z } from 'zod'
import { presentJob } from '../../jobs/present.ts'
import { completedJob, linksOf } from '../answers.ts'
import { defineTool } from '../define-tool.ts'
import { lookUp } from './annotations.ts'
import { jobId } from './get-job.ts'

export const getJobResult = defineTool({
  name: 'get_job_result',
  title: 'Get the result of a completed job',
  description:
    'Gives what a completed job found or made, with a link to each file. Use it once svc.get_job says completed. A failed job answers with its error.',
  auth: 'key',
  annotations: lookUp,
  input: z.strictObject({ job_id: jobId }),
  output: z.object({
    job_id: z.string(),
    endpoint: z.string(),
    final_price_usd: z.number(),
    result: z.record(z.string(), z.unknown()).describe('As svc.get_endpoint_schema describes it.'),
  }),
  run: async ({ job_id }, call) => {
    const job = await completedJob(call, job_id)
    const { endpoint, final_price_usd = 0, result = {} } = await presentJob(call.context, job)
    const links = linksOf(job, { result })
    const text =
      links.length > 0
        ? `${links.length === 1 ? 'One file' : `${links.length} files`}; the URLs live an hour, and svc.regenerate_output_url makes fresh ones at no cost.`
        : 'The result is in the structured content. Its times are seconds: they can be start, end, moments or ranges of a clip.'
    return { structured: { job_id: job.id, endpoint, final_price_usd, result }, text, links }
  },
})
