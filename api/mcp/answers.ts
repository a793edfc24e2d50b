import { z } from 'zod'
import { errorTable, isErrorCode, ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { counted, escapeMarkup, quoted, quotedList, shortened } from '../../src/core/text.ts'
import { failureOfJob, failureSchema, hasEnded, type JobWithOutputs } from '../../src/jobs/job-rows.ts'
import type { RunWithJobs } from '../../src/jobs/run-rows.ts'
import type { ErrorBody } from '../http/errors.ts'
import { htmlPage } from '../http/html.ts'
import { errorBody } from '../http/route.ts'
import { readJob, withResults } from '../jobs/read.ts'
import { type JobBody, type PresentContext, presentJob, type ResultPage } from '../jobs/schema.ts'
import { findOwnRun, presentRun, presentRunSummary, savedBy } from '../runs/read.ts'
import type { RunBody } from '../runs/schema.ts'
import type { FileLink, KeyCall, ToolAnswer } from './define-tool.ts'
import type { manifestDocument } from './discovery.ts'
import { firstFiles, fitted, pagesForAgents } from './short-answers.ts'

const id = z.union([z.string(), z.int()]).nullable()

/** The 401 of `POST /mcp`. Clients show their users the message of an error of JSON-RPC, and nothing of the error envelope. */
export const refusal = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: id.describe('Of the request. null for a batch, and for a number beyond 2^53.'),
    error: z.object({
      code: z.int().describe('The HTTP status.'),
      message: z.string().describe('The code and the message of data.'),
      data: errorBody,
    }),
  })
  .meta({ id: 'ProtocolRefusal' })

const withId = z.object({ id })

/** Undefined for errors with other statuses. */
export function refusalOf(error: ErrorBody, message: unknown): z.output<typeof refusal> | undefined {
  const status = isErrorCode(error.code) ? errorTable[error.code].httpStatus : undefined
  if (status !== 401) return undefined
  const { data: request } = withId.safeParse(message)
  return {
    jsonrpc: '2.0',
    id: request?.id ?? null,
    error: { code: status, message: `${error.code}: ${error.message}`, data: error },
  }
}

/** A job in tool answers, as REST shows it. The schema lists the fields that decide the next call. */
export const toolJob = z
  .looseObject({ id: z.string(), status: z.string().describe('queued, running, completed or failed.') })
  .describe('With endpoint, progress, prices, warnings, error, and the result once it is completed.')

export const jobAnswer = z.object({
  job_id: z.string(),
  job: toolJob,
  page: z.looseObject({}).optional().describe('Of a long result, which svc.get_job_result continues.'),
})

/** The job with newly signed URLs and the beginning of its result, the next call, and a link to each file. */
export async function answerJob(
  context: PresentContext,
  job: JobWithOutputs,
): Promise<ToolAnswer<z.output<typeof jobAnswer>>> {
  const body = await presentJob(context, job)
  const links = linksOf(job, body)
  const pages = pagesOfJob(body)
  const text = describe(body)
  return fitted(undefined, (limit) => ({
    structured: { job_id: job.id, ...pages(limit) },
    text,
    links: firstFiles(links, limit),
  }))
}

/** The job with the beginning of its result. Its settings have been sent, and can be long. */
function pagesOfJob({ settings: _, ...job }: JobBody) {
  const pages = job.result && pagesForAgents(job.result)
  return (limit: number) => {
    if (!pages) return { job }
    const { result, page } = pages(limit)
    return { job: { ...job, result }, page }
  }
}

function describe({
  id,
  status,
  status_detail,
  progress,
  error,
  warnings,
  final_price_usd: price = 0,
}: JobBody): string {
  if (status_detail === 'canceling') return describeCanceling('Job', id)
  if (status === 'failed') return `Job ${id} failed and costs nothing. ${error?.code}: ${error?.message}`
  const warned = describeWarnings(warnings)
  if (status === 'completed')
    return `Job ${id} is completed for ${price} USD.${warned} Its result is in structuredContent. To read it as text, call svc.get_job_result.`
  return `Job ${id} is ${status} (${Math.round(progress * 100)} %).${warned} Next: svc.get_job with wait_seconds 30, until it has ended.`
}

export function describeWarnings(warnings: readonly string[] = []): string {
  return warnings.map((warning) => ` Warning: ${warning}`).join('')
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

/** For clients that show a model only texts: a line for each file. */
export function describeLinks(links: readonly FileLink[]): string {
  return links.map(({ name, url }) => `- ${quoted(name)}: ${url}\n`).join('')
}

/** A run in tool answers, as REST shows it. */
export const toolRun = z
  .looseObject({ id: z.string(), status: z.string() })
  .describe(
    'With steps, each with its job_id and job, prices, warnings, error, and saved: what a chain took out. The last step has the result.',
  )

/** The answer of tools that take the id of a job or of a run. */
export const jobOrRunAnswer = jobAnswer.partial().extend({
  run: toolRun.optional().describe('Instead of job and job_id, if the id is that of a run.'),
})

/** The run with the beginning of its result, the next call, and a link to each file of its last step. */
export async function answerRun(
  context: PresentContext,
  run: RunWithJobs,
): Promise<ToolAnswer<z.output<typeof jobOrRunAnswer>>> {
  // The last step has the result with its files, and the settings have been sent.
  const { result: _, output_url: _url, outputs: _files, settings: _settings, ...body } = await presentRun(context, run)
  const last = body.steps.at(-1)
  const lastJob = last?.job
  const row = run.jobs.find(({ id }) => id === last?.job_id)
  const links = lastJob && row ? linksOf(row, lastJob) : []
  const text = describeRun(body)
  const pages = lastJob && pagesOfJob(lastJob)
  return fitted(undefined, (limit) => {
    const { job, page } = pages?.(limit) ?? {}
    const steps = last ? [...body.steps.slice(0, -1), { ...last, job }] : []
    return { structured: { run: { ...body, steps }, page }, text, links: firstFiles(links, limit) }
  })
}

export function describeRun(run: RunBody): string {
  const { id, status, status_detail, error, saved, price_usd, price_limit_usd, steps } = run
  if (status_detail === 'canceling') return describeCanceling('Run', id)
  if (status_detail === 'awaiting_consent')
    return `Run ${id} costs at most ${price_limit_usd} USD, and waits until its task is told that the user agrees.`
  if (status === 'failed')
    return `Run ${id} failed; its completed steps cost ${price_usd} USD. ${error?.code}: ${error?.message}`
  const shorter = saved ? ` ${describeSaved(saved)}` : ''
  if (status === 'completed')
    return `Run ${id} is completed for ${price_usd} USD.${shorter} Next: svc.get_job_result with ${id} as job_id.`
  const progress = steps.reduce((sum, { job }) => sum + (job?.progress ?? 0), 0) / steps.length
  return `Run ${id} is ${status} (${Math.round(progress * 100)} %), for at most ${price_limit_usd} USD. Next: svc.get_job with ${id} as job_id and wait_seconds 30, until it has ended.`
}

function describeCanceling(what: 'Job' | 'Run', id: string): string {
  return `${what} ${id} is being canceled. Next: svc.get_job with ${id} as job_id and wait_seconds 30, until it has ended.`
}

/** A completed job, or the last job of a completed run. Throws the error if it failed, and `conflict` while it is open. */
export async function completedJob(call: KeyCall, id: string): Promise<JobWithOutputs> {
  return (await completedWork(call, id)).job
}

export interface CompletedWork {
  /** The job, or the last one of a run. */
  readonly job: JobWithOutputs
  /** All jobs of the run, in order, or the job alone. */
  readonly jobs: readonly JobWithOutputs[]
  readonly run?: Pick<RunBody, 'id' | 'price_usd' | 'warnings' | 'saved'>
}

/** The same, with the whole run. */
export async function completedWork(call: KeyCall, id: string): Promise<CompletedWork> {
  const { context, credential: reader, signal } = call
  if (isId('run', id)) return workOfRun(call, id)
  const job = await readJob(context, { reader, jobId: id, waitSeconds: 0, signal })
  const failure = failureOfJob(job)
  if (failure) throw new ServiceError(failure.code, failure.message, { jobId: id })
  if (!hasEnded(job))
    throw new ServiceError(
      'conflict',
      `This job is ${job.status}. Wait for its end with svc.get_job and wait_seconds.`,
      { jobId: id },
    )
  return { job, jobs: [job] }
}

async function workOfRun({ context, credential: reader }: KeyCall, runId: string): Promise<CompletedWork> {
  const found = await findOwnRun(context, reader, runId)
  if (found.error !== null) {
    const { code, message } = failureSchema.parse(found.error)
    throw new ServiceError(code, message)
  }
  const run = found.endedAt && (await withResults(context, found))
  const job = run?.jobs.at(-1)
  if (!run || !job) throw new ServiceError('conflict', 'This run has not ended. Wait for its end with svc.get_job.')
  const { price_usd, warnings } = presentRunSummary(context, run)
  return { job, jobs: run.jobs, run: { id: runId, price_usd, warnings, saved: savedBy(run) } }
}

const needs = {
  none: 'no key',
  key: 'an API key or a connector',
  account: 'an API key or a connector with the scope all',
}

/** The page for people who open the endpoint in a browser. */
export function agentsPage(manifest: ReturnType<typeof manifestDocument>): string {
  const { endpoint, title, description, tools, documentation_url } = manifest
  const configuration = {
    mcpServers: { [manifest.name]: { type: 'http', url: endpoint, headers: { Authorization: 'Bearer <API_KEY>' } } },
  }
  const at = (path: string) => escapeMarkup(endpoint.replace(/mcp$/, path))
  const rows = tools.map(
    (tool) =>
      `<dt><code>${escapeMarkup(tool.name)}</code> (${needs[tool.auth]})</dt><dd>${escapeMarkup(tool.description ?? '')} Example: <code>${escapeMarkup(JSON.stringify(tool.example))}</code></dd>`,
  )
  return htmlPage(
    `${title} for agents`,
    `<h1>${title} for agents</h1>
<p>${description} This address serves its tools to clients of the Model Context Protocol. The <a href="${escapeMarkup(documentation_url)}">REST API reference</a> is for people.</p>
<h2>Connect</h2>
<p>Create a <a href="${at('dashboard/connectors')}">connector</a>, whose token works here alone and can have a monthly cap, or an <a href="${at('dashboard/keys')}">API key</a>. Put it in place of &lt;API_KEY&gt;. Clients that read a file, such as <code>.mcp.json</code>, take:</p>
<pre tabindex="0">${escapeMarkup(JSON.stringify(configuration, null, 2))}</pre>
<p>Others have a command, such as:</p>
<pre tabindex="0">${escapeMarkup(`claude mcp add --transport http ${manifest.name} ${endpoint} --header "Authorization: Bearer <API_KEY>"`)}</pre>
<p>A client may connect only once you trust the folder or approve the server in it.</p>
<p>Tools marked “no key” also work without the Authorization header.</p>
<h2>Tools</h2>
<dl>
${rows.join('\n')}
</dl>`,
  )
}

// A result for clients that show a model only texts.

type Result = Readonly<Record<string, unknown>>

/** The most entries of a list in the text; the structured content has the whole page. */
const listedEntries = 100
/** Of the words of a time. */
const listedCharacters = 60
/** Of a sentence. */
const sentenceCharacters = 200
/** Of a frame. */
const listedReasons = 3

export function describeResult(result: Result, page: ResultPage): string[] {
  const lists = Object.keys(page.lists).length > 0 ? [describeLists(result, page)] : []
  return [...describeClips(result, page), ...describeFrames(result), ...lists]
}

export function describeSaved({ cuts, seconds_in, seconds_out }: NonNullable<RunBody['saved']>): string {
  return `${counted(cuts, 'part')} cut out: ${seconds_in} seconds of media became ${seconds_out}.`
}

const texts = z.object({ query: z.string(), title: z.string(), text: z.string() }).partial()
const timed = z.array(texts.extend({ start: z.number(), end: z.number(), score: z.number().optional() }))
const spoken = z.object({ transcript: z.object({ sentences: timed }) })

function describeLists(result: Result, { lists, next_from_seconds: next }: ResultPage): string {
  const hasMatches = (lists['matches']?.shown ?? 0) > 0
  const lines = Object.entries(lists).map(([name, { total, shown }]) => {
    const { data: entries = [] } = timed.safeParse(result[name])
    const { data: said } = spoken.safeParse(result)
    const isTranscript = name === 'transcript.sentences'
    // Matches have the words around them.
    const found = isTranscript && !hasMatches ? (said?.transcript.sentences ?? []) : entries
    const times = found.slice(0, listedEntries).map((entry) => describeTime(entry, isTranscript))
    const unlisted =
      found.length > times.length ? `. structuredContent has all ${shown}, this text the first ${times.length}` : ''
    const listed = isTranscript ? `:\n${times.join('\n')}` : `: ${times.join(', ')}`
    return `${name}: ${shown} of ${total}${times.length > 0 ? `${unlisted}, in seconds${listed}` : ''}`
  })
  const isPaged = (name: string) => name === 'transcript.sentences' || timed.safeParse(result[name]).success
  const isCut = Object.entries(lists).some(([name, { total, shown }]) => shown < total && !isPaged(name))
  const end = isCut ? 'Next: the same call with a higher limit.' : 'No page follows.'
  const more =
    next === undefined ? end : `Next: the same call with from_seconds ${next}, or with a higher limit for more.`
  return [...lines, `${more} Use the times as start, end, moments or ranges of a clip.`].join('\n')
}

function describeTime({ start, end, score, query, title, text }: z.output<typeof timed>[number], isSentence: boolean) {
  const words = [query ?? title ?? text ?? []].flat()
  const named = quotedList(words, { maxListed: 1, maxLength: isSentence ? sentenceCharacters : listedCharacters })
  return `${start}–${end}${named === '' ? '' : ` ${named}`}${score === undefined ? '' : ` (${score})`}`
}

const ranked = z.object({
  frames: z.array(
    z.object({
      time: z.number().optional(),
      upload_id: z.string().optional(),
      score: z.number(),
      reasons: z.array(z.string()),
    }),
  ),
})

function describeFrames(result: Result): string[] {
  const { data } = ranked.safeParse(result)
  if (!data) return []
  const lines = data.frames.slice(0, listedEntries).map(({ time, upload_id: upload, score, reasons }, index) => {
    const shown = upload ?? `${time} s`
    return `${index + 1}. ${shown} (${score}): ${shortened(reasons.slice(0, listedReasons).join(', '), sentenceCharacters)}`
  })
  return [[`${counted(data.frames.length, 'frame')}, the best first:`, ...lines].join('\n')]
}

const span = z.object({ start: z.number(), end: z.number() })
const receiptOf = z.object({ presented: span, ranges: z.array(z.unknown()).optional() })
const cutFile = z.object({ duration: z.number(), receipt: z.unknown().optional() })
const cut = z.object({
  receipt: z.unknown().optional(),
  output: cutFile.optional(),
  outputs: z.array(cutFile).optional(),
})

/** A line for each clip. */
function describeClips(result: Result, { lists }: ResultPage): string[] {
  const { data } = cut.safeParse(result)
  const files = data?.outputs ?? (data?.output ? [{ ...data.output, receipt: data.receipt }] : [])
  const rangesPlace = data?.outputs ? 'outputs.receipt.ranges' : 'receipt.ranges'
  return files.flatMap(({ duration, receipt }, index) => {
    // Captions have none.
    const { data: made } = receiptOf.safeParse(receipt)
    if (!made) return []
    const { presented, ranges = [] } = made
    const source = `${presented.start}–${presented.end} of the media`
    const joined = ranges.length > 1 ? `${lists[rangesPlace]?.total ?? ranges.length} ranges of ` : ''
    return [`Clip ${index + 1}: ${duration} seconds, from ${joined}${source}.`]
  })
}
