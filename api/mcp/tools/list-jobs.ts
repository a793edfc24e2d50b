import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { counted, quoted } from '../../../src/core/text.ts'
import { pageOfJobs } from '../../jobs/read.ts'
import { jobFilter } from '../../jobs/schema.ts'
import { toolJob } from '../answers.ts'
import { defineTool, lookUp } from '../define-tool.ts'

export const listJobsTool = defineTool({
  name: 'list_jobs',
  title: 'List recent jobs',
  description:
    'Lists the jobs of the account that this credential covers, newest first, without their results. Use it to find a lost job id.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({ ...jobFilter.shape, limit: z.int().min(1).max(100).default(20) }),
  output: z.object({ jobs: z.array(toolJob), next_cursor: z.string().optional() }),
  run: async (query, { context, credential }) => {
    const page = await pageOfJobs(context, credential, query)
    const lines = page.jobs.map(({ id, endpoint, media, status, created_at }) => {
      const name = media?.name === undefined ? '' : ` of ${quoted(media.name)}`
      return `- ${id}: ${endpoint}${name}, ${status}, ${created_at}`
    })
    const more = page.next_cursor ? ` For more, send cursor ${page.next_cursor}.` : ''
    const text = `${counted(page.jobs.length, 'job')}.${more} Next: svc.get_job or svc.get_job_result for one job.`
    return { structured: page, text: [...lines, text].join('\n') }
  },
})
