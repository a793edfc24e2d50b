import { z } from 'zod'
import { isId } from '../../../src/core/ids.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { quotedList } from '../../../src/core/text.ts'
import { hasEntries } from '../../../src/exports/export-entries.ts'
import { exportFormatNames, exportFormats } from '../../../src/exports/export-formats.ts'
import type { JobWithOutputs } from '../../../src/store/jobs.ts'
import { presentJobPage } from '../../jobs/present.ts'
import { defaultFindings, maxFindings, type ResultPage, resultPage } from '../../jobs/result-page.ts'
import { completedWork, describeLinks, linksOf } from '../answers.ts'
import { defineTool, type FileLink, jobOrRunIdArgument, type KeyCall, lookUp } from '../define-tool.ts'

export const getJobResultTool = defineTool({
  name: 'get_job_result',
  title: 'Get the result of a completed job',
  description:
    'Returns the result of a completed job, or of the last step of a completed run: its segments in pages, and a link to each file. Call it when the status of svc.get_job is completed. For a failed job it returns the error.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({
    job_id: jobOrRunIdArgument,
    limit: z
      .int()
      .min(1)
      .max(maxFindings)
      .default(defaultFindings)
      .describe('The most entries of each list, such as segments.'),
    from_seconds: z
      .number()
      .min(0)
      .default(0)
      .describe('Only entries that start at this second or later. For the next page, page.next_from_seconds.'),
    min_score: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('Only entries with this score or more. Those without a score stay.'),
  }),
  output: z.object({
    job_id: z.string(),
    endpoint: z.string(),
    final_price_usd: z.number(),
    result: z
      .looseObject({})
      .describe(
        'The result that svc.get_endpoint_schema describes. A transcript has the sentences of the page, and no words: words.json has them.',
      ),
    page: resultPage,
  }),
  run: async ({ job_id, ...query }, call) => {
    const { job, jobs } = await completedWork(call, job_id)
    const { job: body, page = { lists: {} } } = await presentJobPage(call.context, job, query)
    const { endpoint, final_price_usd = 0, result = {} } = body
    const links = linksOf(job, { result })
    const files = links.length > 0 ? [`${describeLinks(links)}${urlAdvice}`] : []
    const found = files.length === 0 || Object.keys(page.lists).length > 0 ? [describeFindings(result, page)] : []
    const exported = jobs.some(hasTimes) ? [exportLink(call, job_id)] : []
    return {
      structured: { job_id: job.id, endpoint, final_price_usd, result, page },
      text: [...files, ...found, ...exported.map(({ url, description }) => `${description} ${url}`)].join('\n'),
      links: [...links, ...exported],
    }
  },
})

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

const timed = z.array(
  z.object({
    start: z.number(),
    end: z.number(),
    score: z.number().optional(),
    query: z.string().optional(),
    title: z.string().optional(),
    text: z.string().optional(),
  }),
)

/** The most times of a list in the text; the structured content has the whole page. */
const listedTimes = 100
/** Of the words of a time. */
const listedCharacters = 60

function describeFindings(
  result: Readonly<Record<string, unknown>>,
  { lists, next_from_seconds: next }: ResultPage,
): string {
  const lines = Object.entries(lists).map(([name, { total, shown }]) => {
    const { data: entries = [] } = timed.safeParse(result[name])
    const times = entries.slice(0, listedTimes).map(({ start, end, score, query, title, text }) => {
      const words = [query ?? title ?? text ?? []].flat()
      const named = quotedList(words, { maxListed: 1, maxLength: listedCharacters })
      return `${start}–${end}${named === '' ? '' : ` ${named}`}${score === undefined ? '' : ` (${score})`}`
    })
    const unlisted =
      entries.length > times.length ? `. structuredContent has all ${shown}, this text the first ${times.length}` : ''
    return `${name}: ${shown} of ${total}${times.length > 0 ? `${unlisted}, in seconds: ${times.join(', ')}` : ''}`
  })
  const more = next === undefined ? 'No page follows.' : `Next: the same call with from_seconds ${next}.`
  return [...lines, `${more} Use the times as start, end, moments or ranges of a clip.`].join('\n')
}
