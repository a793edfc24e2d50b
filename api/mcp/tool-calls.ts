import { type Chain, chains } from '../../src/chains/chains.ts'
import { exampleOf, findEndpoint } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'

export interface PlannedCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly note: string
}

/** The chain with the most goal words in the text; undefined without any. */
export function chainFor(goal: string): Chain | undefined {
  const text = goal.toLowerCase()
  const scored = chains.map((chain) => ({
    chain,
    score: chain.goalWords.filter((word) => text.includes(word)).length,
  }))
  const best = scored.toSorted((a, b) => b.score - a.score)[0]
  return best && best.score > 0 ? best.chain : undefined
}

type MediaPlace = 'url' | 'file'

/** The tool calls, in order, for the live steps of a chain. */
export function toolCallsFor(endpointIds: readonly string[], media: MediaPlace): PlannedCall[] {
  const live = endpointIds.map(findEndpoint).filter((endpoint) => endpoint?.stage === 'live')
  return [...uploadCalls(media), ...live.flatMap(jobCallsFor)]
}

/** The tool calls that run a chain whose steps are all live. */
export function runCallsFor({ id, summary }: Chain, media: MediaPlace): PlannedCall[] {
  const tool = 'svc.create_workflow_job'
  const request = { workflow_id: id, media_url: '<media_url>' }
  const run = { ...request, mode: 'run_all', idempotency_key: '<one of your own>' }
  return [
    ...uploadCalls(media),
    { tool, arguments: request, note: checkNote },
    { tool, arguments: run, note: summary },
    waitCall('<id of the run>'),
    resultCall('<job_id of the last step>', 'The result of the chain.'),
  ]
}

export function notesFor(missing: readonly string[]): string[] {
  return missing.map((id) => `${id} is a preview and does not run yet: ${alternativeTo(id)}.`)
}

function alternativeTo(id: string): string {
  const endpoint = findEndpoint(id)
  return (endpoint?.stage === 'preview' && endpoint.alternative) || 'leave this step out'
}

const uploadCall: PlannedCall = {
  tool: 'svc.create_upload',
  arguments: { filename: 'interview.mp4' },
  note: 'PUT the bytes to upload_url with upload_headers; send media_url to jobs.',
}

function uploadCalls(media: MediaPlace): PlannedCall[] {
  return media === 'file' ? [uploadCall] : []
}

function waitCall(jobId: string): PlannedCall {
  return {
    tool: 'svc.get_job',
    arguments: { job_id: jobId, wait_seconds: 30 },
    note: 'Repeat until the status is completed or failed.',
  }
}

function resultCall(jobId: string, note: string): PlannedCall {
  return { tool: 'svc.get_job_result', arguments: { job_id: jobId }, note }
}

const checkNote = 'Reads the media and returns the price. Spends nothing.'

function jobCallsFor(endpoint: LiveEndpoint): PlannedCall[] {
  const { readsMedia, summary } = endpoint
  const request = { ...exampleOf(endpoint), ...(readsMedia ? { media_url: '<media_url>' } : {}) }
  return [
    ...(readsMedia ? [{ tool: 'svc.check_job_readiness', arguments: request, note: checkNote }] : []),
    { tool: 'svc.create_job', arguments: { ...request, idempotency_key: '<one of your own>' }, note: summary },
    waitCall('<job_id>'),
    resultCall('<job_id>', 'The input of the next step.'),
  ]
}
