import { z } from 'zod'
import { getChain } from '../../../src/chains/chains.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { isId } from '../../../src/core/ids.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { matchEnd, matchStart } from '../../../src/core/passages.ts'
import { counted, quoted } from '../../../src/core/text.ts'
import { exportableResult } from '../../../src/endpoints/catalog.ts'
import { listsWithEntries } from '../../../src/exports/export-entries.ts'
import { exportFormatNames, exportFormats } from '../../../src/exports/export-formats.ts'
import type { JobWithOutputs } from '../../../src/jobs/job-rows.ts'
import type { RunWithoutResults } from '../../../src/jobs/run-rows.ts'
import { pageOfJobs, readJob, refreshOutputs } from '../../jobs/read.ts'
import { jobFilter, maxFindings, presentJob, resultPage } from '../../jobs/schema.ts'
import { pageOfPassages, presentPassage, searchWords } from '../../jobs/search.ts'
import { readRun } from '../../runs/read.ts'
import {
  answerJob,
  answerRun,
  type CompletedWork,
  completedJob,
  completedWork,
  describeLinks,
  describeResult,
  describeSaved,
  jobAnswer,
  jobOrRunAnswer,
  linksOf,
  toolJob,
} from '../answers.ts'
import {
  defineTool,
  endpointIdArgument,
  type FileLink,
  jobOrRunIdArgument,
  type KeyCall,
  lookUp,
  pageLimitArgument,
} from '../define-tool.ts'
import { firstFiles, fitted, pagesForAgents } from '../short-answers.ts'

export const getJobTool = defineTool({
  name: 'get_job',
  title: 'Get a job or a run, or wait for its end',
  description:
    'Returns the state of a job, or of a run of svc.create_workflow_job. With wait_seconds, waits for its end. Repeat until the status is completed or failed, then call svc.get_job_result.',
  auth: 'key',
  annotations: lookUp,
  app: 'shown',
  input: strictFields({
    job_id: jobOrRunIdArgument,
    wait_seconds: z.number().min(0).max(60).default(0).describe('Seconds to wait for the end, at most.'),
  }),
  example: { job_id: 'job_…' },
  output: jobOrRunAnswer,
  run: async ({ job_id, wait_seconds: waitSeconds }, call) => {
    const { context, credential: reader, signal } = call
    const wait = { reader, waitSeconds, signal }
    const report = progressReporter(call)
    if (isId('run', job_id)) {
      const onRead = (run: RunWithoutResults) =>
        report({ fraction: progressOf(run), message: `${run.chain} is running` })
      return answerRun(context, await readRun(context, { ...wait, runId: job_id, onRead }))
    }
    const onRead = ({ progress: fraction, endpoint, status }: JobWithOutputs) =>
      report({ fraction, message: `${endpoint} is ${status}` })
    return answerJob(context, await readJob(context, { ...wait, jobId: job_id, onRead }))
  },
})

/** Reports only increases: the protocol requires progress to increase with each report. */
function progressReporter({ reportProgress }: KeyCall): KeyCall['reportProgress'] {
  let reported = -1
  return async (progress) => {
    if (progress.fraction <= reported) return
    reported = progress.fraction
    await reportProgress(progress)
  }
}

function progressOf({ chain, jobs }: RunWithoutResults): number {
  return jobs.reduce((sum, { progress }) => sum + progress, 0) / getChain(chain).steps.length
}

export const getJobResultTool = defineTool({
  name: 'get_job_result',
  title: 'Get the result of a completed job',
  description:
    'Returns the result of a completed job, or of the last step of a completed run: its segments in pages, and a link to each file. Call it once svc.get_job says completed.',
  auth: 'key',
  annotations: lookUp,
  app: 'shown',
  input: strictFields({
    job_id: jobOrRunIdArgument,
    limit: z
      .int()
      .min(1)
      .max(maxFindings)
      .optional()
      .describe('The most entries of each list. When left out, what fits in 1,500 tokens.'),
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
  example: { job_id: 'job_…' },
  output: z.object({
    job_id: z.string(),
    endpoint: z.string(),
    final_price_usd: z.number(),
    run_price_usd: z.number().optional(),
    warnings: z.array(z.string()),
    result: z
      .looseObject({})
      .describe(
        'As svc.get_endpoint_schema describes it. A transcript has sentences only: words.json has its words. Beside matches, it comes with a limit.',
      ),
    page: resultPage,
  }),
  run: async ({ job_id, limit: most, ...query }, call) => {
    const { job, jobs, run } = await completedWork(call, job_id)
    const { result: whole = {}, ...body } = await presentJob(call.context, job)
    const { endpoint, final_price_usd = 0 } = body
    const warnings = run?.warnings ?? body.warnings
    // Those that follow the first page are not to say it again.
    const files = query.from_seconds > 0 ? [] : linksOf(job, { result: whole })
    const ofRun = run ? describeWholeRun(run) : []
    const lists = new Set(jobs.flatMap((job) => listsWithEntries(exportableResult(job))))
    const exported = lists.size > 0 && query.from_seconds === 0 ? [exportLink(call, job_id)] : []
    const pages = pagesForAgents(whole, { ...query, limit: most })
    return fitted(most, (limit) => {
      const { result, page } = pages(limit)
      const links = firstFiles(files, limit)
      return {
        structured: {
          job_id: job.id,
          endpoint,
          final_price_usd,
          run_price_usd: run?.price_usd,
          warnings,
          result,
          page,
        },
        text: [
          ...(links.length > 0 ? [`${describeLinks(links)}${urlAdvice}`] : []),
          ...[...ofRun, ...warnings.map((warning) => `Warning: ${warning}`), ...describeResult(result, page)],
          ...exported.map(({ url }) => `${exportAdvice(lists)} ${url}`),
        ].join('\n'),
        links: [...links, ...exported],
      }
    })
  },
})

function describeWholeRun({ id, price_usd, saved }: NonNullable<CompletedWork['run']>) {
  return [`Run ${id} cost ${price_usd} USD.`, ...(saved ? [describeSaved(saved)] : [])]
}

function exportLink({ context: { config } }: KeyCall, id: string): FileLink {
  const { contentType, extension } = exportFormats.csv
  return {
    url: `${config.BASE_URL}/v1/${isId('run', id) ? 'workflow-runs' : 'jobs'}/${id}/export?as=csv`,
    name: `${id}.${extension}`,
    contentType,
  }
}

function exportAdvice(lists: ReadonlySet<string>): string {
  const choice = lists.size > 1 ? ` It has ${[...lists][0]}; list=${[...lists].slice(1).join(' or ')} has those.` : ''
  return `The times as a file: read this resource, or GET it with this credential, with as=${exportFormatNames.join(', ')}.${choice} Times are those of the source; with output_of, the id of a job or run that cut it, those in its file. For editors, what=markers marks them on the whole media; what=cuts cuts them out.`
}

const urlAdvice = 'The URLs are valid for an hour, and svc.regenerate_output_url signs new ones at no cost.'

export const listJobsTool = defineTool({
  name: 'list_jobs',
  title: 'List recent jobs',
  description:
    "Lists the account's jobs that this credential can see, newest first, without their results. Use it to find a lost job id. With query, searches what was said and shown in their media, and lists the matches with their times.",
  auth: 'key',
  annotations: lookUp,
  input: strictFields({
    ...jobFilter.shape,
    endpoint: jobFilter.shape.endpoint.meta({ ...endpointIdArgument, description: 'Only jobs of this endpoint.' }),
    query: searchWords.optional().describe('Words to search for. Goes with no filter.'),
    limit: pageLimitArgument,
  }),
  example: { limit: 5 },
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

export const regenerateOutputUrlTool = defineTool({
  name: 'regenerate_output_url',
  title: 'Get new URLs for the files of a job or a run',
  description:
    'Signs new URLs for the files of a completed job, or of the last step of a completed run, without running it again and at no cost. Use it when a URL has expired.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({ job_id: jobOrRunIdArgument }),
  example: { job_id: 'job_…' },
  output: jobAnswer,
  run: async ({ job_id }, call) => {
    const { context, credential } = call
    const { id } = await completedJob(call, job_id)
    const answer = await answerJob(context, await refreshOutputs(context, credential, id))
    const { links = [] } = answer
    const validity = links.length > 0 ? 'The new URLs are valid for an hour.' : 'It has no files.'
    return { ...answer, text: `${describeLinks(links)}${validity} Nothing was charged.` }
  },
})
