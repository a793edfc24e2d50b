import { z } from 'zod'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { matchEnd, matchStart } from '../../../src/core/passages.ts'
import { counted, quoted } from '../../../src/core/text.ts'
import { pageOfJobs } from '../../jobs/read.ts'
import { jobFilter } from '../../jobs/schema.ts'
import { pageOfPassages, presentPassage, searchWords } from '../../jobs/search.ts'
import { toolJob } from '../answers.ts'
import { defineTool, type KeyCall, lookUp, pageLimitArgument } from '../define-tool.ts'

export const listJobsTool = defineTool({
  name: 'list_jobs',
  title: 'List recent jobs',
  description:
    "Lists the account's jobs that this credential can see, newest first, without their results. Use it to find a lost job id. With query, searches what was said and shown in their media, and lists the matches with their times.",
  auth: 'key',
  annotations: lookUp,
  input: strictFields({
    ...jobFilter.shape,
    query: searchWords.optional().describe('Words to search for. Goes with no filter.'),
    limit: pageLimitArgument,
  }),
  output: z.object({
    jobs: z.array(toolJob),
    matches: z
      .array(z.looseObject({ job_id: z.string(), start: z.number(), end: z.number(), text: z.string() }))
      .optional(),
    next_cursor: z.string().optional(),
  }),
  run: async ({ query: words, ...query }, call) => {
    if (words !== undefined) return searchJobs(words, query, call)
    const { context, credential } = call
    const page = await pageOfJobs(context, credential, query)
    const lines = page.jobs.map(({ id, endpoint, media, status, created_at }) => {
      const name = media?.name === undefined ? '' : ` of ${quoted(media.name)}`
      return `- ${id}: ${endpoint}${name}, ${status}, ${created_at}`
    })
    const advice = page.jobs.length > 0 ? ' Next: svc.get_job or svc.get_job_result for one job.' : ''
    const text = `${counted(page.jobs.length, 'job')}.${moreOf(page)}${advice}`
    return { structured: page, text: [...lines, text].join('\n') }
  },
})

/** The matches of a search, and the jobs that have them, which are completed. */
async function searchJobs(
  words: string,
  { limit, cursor, ...filter }: z.output<typeof jobFilter> & { readonly limit: number },
  { context, credential }: KeyCall,
) {
  const filters = Object.entries(filter).filter(([, value]) => value !== undefined)
  const [name] = filters[0] ?? []
  if (name !== undefined)
    throw new ServiceError('invalid_request', `${name}: leave it out with query, which searches all jobs.`)
  const { passages, ...next } = await pageOfPassages(context, credential, { words, limit, cursor })
  const matches = passages.map((passage) => ({
    ...presentPassage(passage),
    text: passage.excerpt.replaceAll(matchStart, '').replaceAll(matchEnd, ''),
  }))
  const jobs = new Map(
    matches.map(({ job_id: id, run_id, endpoint, media }) => [
      id,
      { id, run_id, endpoint, media, status: 'completed' },
    ]),
  )
  const lines = matches.map(({ job_id, media, start, end, text }) => {
    const name = media?.name === undefined ? '' : ` of ${quoted(media.name)}`
    return `- ${start}-${end} s${name} (${job_id}): ${quoted(text)}`
  })
  const advice =
    matches.length > 0
      ? 'Next: svc.get_job_result for the whole of one, or video/clip-near with its start. svc.list_uploads returns the media_url of an upload.'
      : 'Only what completed jobs found is searched. Next: search for other words.'
  const text = `${counted(matches.length, 'match', 'matches')}.${moreOf(next)} ${advice}`
  return { structured: { jobs: [...jobs.values()], matches, ...next }, text: [...lines, text].join('\n') }
}

function moreOf({ next_cursor: cursor }: { readonly next_cursor?: string }): string {
  return cursor === undefined ? '' : ` For more, send cursor ${cursor}.`
}
