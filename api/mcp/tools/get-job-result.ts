import { z } from 'zod'
import { isId } from '../../../src/core/ids.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { hasEntries } from '../../../src/exports/export-entries.ts'
import { exportFormatNames, exportFormats } from '../../../src/exports/export-formats.ts'
import type { JobWithOutputs } from '../../../src/store/jobs.ts'
import { presentJobPage } from '../../jobs/present.ts'
import { defaultFindings, maxFindings, resultPage } from '../../jobs/result-page.ts'
import { type CompletedWork, completedWork, describeLinks, linksOf } from '../answers.ts'
import { defineTool, type FileLink, jobOrRunIdArgument, type KeyCall, lookUp } from '../define-tool.ts'
import { describeResult, describeSaved } from '../result-text.ts'

export const getJobResultTool = defineTool({
  name: 'get_job_result',
  title: 'Get the result of a completed job',
  description:
    'Returns the result of a completed job, or of the last step of a completed run: its segments in pages, and a link to each file. Call it once svc.get_job says completed. For a failed job it fails with the error of the job.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({
    job_id: jobOrRunIdArgument,
    limit: z.int().min(1).max(maxFindings).default(defaultFindings).describe('The most entries of each list.'),
    from_seconds: z
      .number()
      .min(0)
      .default(0)
      .describe('Only entries from this second on. For the next page, page.next_from_seconds.'),
    min_score: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('Only entries with this score or more, or without a score.'),
  }),
  output: z.object({
    job_id: z.string(),
    endpoint: z.string(),
    final_price_usd: z.number(),
    run_price_usd: z.number().optional(),
    warnings: z.array(z.string()),
    result: z
      .looseObject({})
      .describe('As svc.get_endpoint_schema describes it. A transcript has sentences only: words.json has its words.'),
    page: resultPage,
  }),
  run: async ({ job_id, ...query }, call) => {
    const { job, jobs, run } = await completedWork(call, job_id)
    const { job: body, page = { lists: {} } } = await presentJobPage(call.context, job, query)
    const { endpoint, final_price_usd = 0, result = {} } = body
    const warnings = run?.warnings ?? body.warnings
    const links = linksOf(job, { result })
    const files = links.length > 0 ? [`${describeLinks(links)}${urlAdvice}`] : []
    const ofRun = run ? describeWholeRun(run) : []
    const found = describeResult(result, page)
    const exported = jobs.some(hasTimes) ? [exportLink(call, job_id)] : []
    return {
      structured: { job_id: job.id, endpoint, final_price_usd, run_price_usd: run?.price_usd, warnings, result, page },
      text: [
        ...[...files, ...ofRun, ...warnings.map((warning) => `Warning: ${warning}`), ...found],
        ...exported.map(({ url, description }) => `${description} ${url}`),
      ].join('\n'),
      links: [...links, ...exported],
    }
  },
})

function describeWholeRun({ id, price_usd, saved }: NonNullable<CompletedWork['run']>) {
  return [`Run ${id} cost ${price_usd} USD.`, ...(saved ? [describeSaved(saved)] : [])]
}

function hasTimes({ result }: JobWithOutputs): boolean {
  return hasEntries(z.looseObject({}).parse(result))
}

function exportLink({ context: { config } }: KeyCall, id: string): FileLink {
  const { contentType, extension } = exportFormats.csv
  return {
    url: `${config.BASE_URL}/v1/${isId('run', id) ? 'workflow-runs' : 'jobs'}/${id}/export?as=csv`,
    name: `${id}.${extension}`,
    contentType,
    description: `The times as a file: GET this with an API key, with as=${exportFormatNames.join(', ')}. Times are those of the source; with output_of, the id of a job or run that cut it, those in its file.`,
  }
}

const urlAdvice = 'The URLs are valid for an hour, and svc.regenerate_output_url signs new ones at no cost.'
