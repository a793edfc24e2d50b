import { describe, expect, it } from 'vitest'
import { presentTool } from '../../../api/mcp/define-tool.ts'
import { tools } from '../../../api/mcp/tool-list.ts'

// A chooser without understanding: it ranks tools by the words that a request and a tool's listed text share (BM25). What it
// finds, a model finds too, so it keeps names and descriptions to the words that people use.

const stopWords = new Set(
  'a an the of to for in on at it its is are was be my me i you your this that these those with and or from by as do does did can will how what which'.split(
    ' ',
  ),
)

/** Words in their shortest form: `cancels`, `canceled` and `canceling` are one. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 1 && !stopWords.has(word))
    .map((word) => word.replace(/(ies)$/, 'y').replace(/(ing|ed|es|s|e)$/, ''))
}

interface Weighed {
  readonly name: string
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

const documents = tools.map((tool): Weighed => {
  const { name, title = '', description = '', inputSchema } = presentTool({ TOOL_PREFIX: '' }, tool)
  const parameters = Object.entries(inputSchema.properties ?? {}).map(
    ([field, schema]) => `${field} ${JSON.stringify(schema)}`,
  )
  // Other tools' names in a description say where to go on, not what the tool does.
  const own = description.replaceAll(/\b[a-z]+(_[a-z]+)+\b/g, ' ')
  const words = [name, name, title, title, own, ...parameters].flatMap(wordsOf)
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { name, counts, length: words.length }
})

const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length

/** BM25 with its usual constants: https://en.wikipedia.org/wiki/Okapi_BM25 */
function ranked(request: string): string[] {
  const scored = documents.map(({ name, counts, length }) => {
    const score = wordsOf(request).reduce((sum, word) => {
      const containing = documents.filter((each) => each.counts.has(word)).length
      const rarity = Math.log(1 + (documents.length - containing + 0.5) / (containing + 0.5))
      const count = counts.get(word) ?? 0
      return sum + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / meanLength))
    }, 0)
    return { name, score }
  })
  return scored.toSorted((a, b) => b.score - a.score).map(({ name }) => name)
}

const requests: readonly (readonly [string, string])[] = [
  ['explain this service and which tools to call first', 'get_agent_guide'],
  ['read the guide for agents', 'get_agent_guide'],
  ['list the endpoints and their prices', 'list_endpoints'],
  ['what endpoints exist to find silence or cut clips', 'list_endpoints'],
  ['get the schema of the settings of an endpoint', 'get_endpoint_schema'],
  ['what does the result of detect-silence look like, with a worked example', 'get_endpoint_schema'],
  ['estimate the price for an hour of media', 'estimate_cost'],
  ['how much would this cost', 'estimate_cost'],
  ['list the recommended chains', 'list_workflows'],
  ['which workflows are recommended when one endpoint is not enough', 'list_workflows'],
  ['turn my goal into a plan', 'plan_integration'],
  ['plan how to remove the silences of a podcast', 'plan_integration'],
  ['write a program in Python that runs this', 'get_code_example'],
  ['show me code for curl', 'get_code_example'],
  ['would this job be accepted before I spend money', 'check_job_readiness'],
  ['check that my credits cover the job and the media is readable', 'check_job_readiness'],
  ['why does nothing work: test storage and workers', 'run_agent_diagnostics'],
  ['diagnose why my jobs make no progress', 'run_agent_diagnostics'],
  ['run the whole chain under one price limit', 'create_workflow_job'],
  ['plan a chain with a maximum price for each step', 'create_workflow_job'],
  ['continue the chain with its next step', 'continue_workflow_job'],
  ['suggest the next step after a completed job', 'continue_workflow_job'],
  ['upload a local file', 'create_upload'],
  ['get a URL to put my file to', 'create_upload'],
  ['find my uploaded file', 'list_uploads'],
  ['list the files that I uploaded', 'list_uploads'],
  ['create a job that cuts a clip', 'create_job'],
  ['run one endpoint on my media', 'create_job'],
  ['wait until the job ends', 'get_job'],
  ['what is the status of my job', 'get_job'],
  ['get the result of the completed job', 'get_job_result'],
  ['give me the next page of segments', 'get_job_result'],
  ['only segments with a score above a minimum', 'get_job_result'],
  ['cancel the running job', 'cancel_job'],
  ['stop the run, do not finish it', 'cancel_job'],
  ['list my recent jobs', 'list_jobs'],
  ['I lost the id of a job', 'list_jobs'],
  ['search what was said in my media', 'list_jobs'],
  ['usage and cost by day', 'get_usage_summary'],
  ['how many jobs ran by endpoint and key', 'get_usage_summary'],
  ['how many free credits are left', 'get_account_limits'],
  ['what are my rate limits and what can I still spend', 'get_account_limits'],
  ['set a monthly spend cap', 'set_spend_cap'],
  ['never let a month exceed 20 dollars, and alert the owner', 'set_spend_cap'],
  ['link to activate billing', 'create_billing_link'],
  ['the output URL has expired, sign a new one', 'regenerate_output_url'],
  ['list my API keys', 'list_api_keys'],
  ['create an API key with a scope and a cap', 'create_api_key'],
  ['revoke a leaked API key', 'revoke_api_key'],
  ['list my webhook endpoints', 'manage_webhooks'],
  ['why does my webhook endpoint fail', 'manage_webhooks'],
  ['call my server when a job ends', 'manage_webhooks'],
  ['create a webhook for completed jobs', 'manage_webhooks'],
  ['pause the webhook', 'manage_webhooks'],
  ['send a test event to my webhook', 'manage_webhooks'],
  ['share the result by a public link', 'create_share'],
  ['a link to the clip for somebody without an account', 'create_share'],
]

describe('a chooser that only compares words', () => {
  it.each(requests)('for "%s" finds %s', (request, name) => {
    expect(ranked(request)[0]).toBe(name)
  })
})

it('the list of tools takes at most 24 kB of the context of a model', () => {
  const listed = tools.map((tool) => presentTool({ TOOL_PREFIX: 'svc.' }, tool))
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: listed } })
  expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(24_000)
})
