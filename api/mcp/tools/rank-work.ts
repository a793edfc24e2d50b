import MiniSearch, { type SearchResult } from 'minisearch'
import { stemmer } from 'stemmer'
import { type Chain, chains } from '../../../src/chains/chains.ts'
import { endpoints } from '../../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../../src/endpoints/define-endpoint.ts'
import { settingsSchema } from '../../catalog/routes.ts'

export type Work = Chain | LiveEndpoint

const works: readonly Work[] = [...chains, ...endpoints]

/** A tool that answers a goal by itself, and costs nothing. */
interface FreeTool {
  readonly id: string
  /** The rest of a sentence that begins with the tool. */
  readonly does: string
  readonly keywords: string
}

// biome-ignore format: a table reads by rows
export const freeTools: readonly FreeTool[] = [
  { id: 'svc.list_uploads', does: 'lists the uploaded files, with the media_url of each', keywords: 'which files were uploaded, my uploads' },
  { id: 'svc.create_upload', does: 'returns a URL that takes a local file', keywords: 'upload or send a local file from my computer or disk' },
  { id: 'svc.list_jobs', does: 'lists jobs, and with query searches what was said and shown in media of completed ones', keywords: 'jobs and runs, history, earlier, past, recent, last week, ran, done so far, failed, lost id' },
  { id: 'svc.get_job', does: 'returns the state of a job or run, or waits for its end', keywords: 'status or progress of a job or run, finished, ready yet, still running' },
  { id: 'svc.get_job_result', does: 'returns the result of a completed job or run', keywords: 'result, output or download of a job or run' },
  { id: 'svc.regenerate_output_url', does: 'signs new URLs for the files of a completed job or run', keywords: 'URL or link expired, sign new ones again' },
  { id: 'svc.cancel_job', does: 'stops a job or a run', keywords: 'cancel, stop, abort or end a running job or run' },
  { id: 'svc.create_share', does: 'makes a public page of a completed job or run', keywords: 'share a result, public link or page for a colleague, client or friend, publish, send' },
  { id: 'svc.estimate_cost', does: 'returns what a job would cost at most', keywords: 'how much would it cost, estimate, expensive, cheap' },
  { id: 'svc.get_usage_summary', does: 'returns what jobs have cost, by day, endpoint and key', keywords: 'how much did I spend, spent, usage, used, costs by day or month, invoice, bill' },
  { id: 'svc.get_account_limits', does: 'returns credits, caps, storage, and what can still be spent', keywords: 'credits, balance, money left, remaining, limits, quota, storage, account' },
  { id: 'svc.set_spend_cap', does: 'sets what a month can cost', keywords: 'spend cap, spending limit, maximum of a month' },
  { id: 'svc.create_billing_link', does: 'returns a link with which the owner activates billing', keywords: 'pay, payment, billing, credit card, buy, subscribe, activate' },
  { id: 'svc.list_api_keys', does: 'lists the API keys; svc.create_api_key makes one, and svc.revoke_api_key ends one', keywords: 'API keys, create, revoke, rotate, leaked, secret, token' },
  { id: 'svc.manage_webhooks', does: 'lists, creates and tests webhooks, which call a server when a job ends', keywords: 'webhooks, notify, notification, call my server or callback when a job ends' },
  { id: 'svc.get_code_example', does: 'returns a program that runs an endpoint', keywords: 'code, program, script or example in Python, Node, JavaScript, curl, integrate, SDK' },
  { id: 'svc.run_agent_diagnostics', does: 'finds out why something does not work', keywords: 'diagnose, not work, broken, error, problem, trouble, debug, why does nothing work' },
  { id: 'svc.list_workflows', does: 'lists the chains, and svc.list_endpoints the endpoints', keywords: 'list chains, workflows, endpoints, catalog' },
  { id: 'svc.get_agent_guide', does: 'explains the service, and which tools to call', keywords: 'help, guide, what can you do, capabilities, service, explain, documentation, tools, start' },
]

/** Words that say nothing about the work. */
const commonWords = new Set(
  'a an and are as be by file for i in is it its make me my of on or recording that the this video was with you your'.split(
    ' ',
  ),
)

/** Words of every goal: alone, they name no work. */
const weakWords = new Set(
  'all any anybody be can could did do does every from get give has have how i list many much need new not of one please show some tell to want was were what when where which who why will would write audio film media movie podcast song sound track video'
    .split(' ')
    .map(stemmer),
)

const index = new MiniSearch<ReturnType<typeof textsOf>>({
  fields: ['keywords', 'name', 'summary', 'details'],
  processTerm: (term) => {
    const word = term.toLowerCase()
    // Times and numbers name no work.
    return commonWords.has(word) || !/\p{L}/u.test(word) ? null : stemmer(word)
  },
  searchOptions: { boost: { keywords: 4, name: 2, summary: 2, details: 0.5 } },
})
index.addAll([...works, ...freeTools].map(textsOf))

function textsOf(work: Work | FreeTool) {
  const { id, keywords } = work
  if ('does' in work) return { id, keywords, name: '', summary: work.does, details: '' }
  if ('steps' in work) return { id, keywords, name: work.title, summary: work.summary, details: '' }
  const details = [work.description, JSON.stringify(settingsSchema(work)), JSON.stringify(work.example)].join(' ')
  return { id, keywords, name: id.replace(`${work.group}/`, ''), summary: work.summary, details }
}

/** Ids whose texts share words with the goal (BM25), among them one that names work, best first. */
function idsFor(goal: string): string[] {
  const namesWork = ({ match }: SearchResult) =>
    Object.entries(match).some(([term, fields]) => !weakWords.has(term) && fields.some((field) => field !== 'details'))
  return index.search(goal, { filter: namesWork }).map(({ id }) => String(id))
}

/** The chains and endpoints for the goal, at most `limit`, best first. None if a free tool is the best for it. */
export function rankWork(goal: string, limit: number): Work[] {
  const ids = idsFor(goal)
  if (freeTools.some(({ id }) => id === ids[0])) return []
  return ids.flatMap((found) => works.filter(({ id }) => id === found)).slice(0, limit)
}

/** The free tools for the goal, at most `limit`, best first. */
export function toolsFor(goal: string, limit: number): FreeTool[] {
  return idsFor(goal)
    .flatMap((found) => freeTools.filter(({ id }) => id === found))
    .slice(0, limit)
}
