import type { Chain } from '../../../src/chains/chains.ts'
import type { StepSettings } from '../../../src/chains/dead-space.ts'
import { exampleOf, findEndpointWith } from '../../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../../src/endpoints/define-endpoint.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { placeholders } from './placeholders.ts'

export interface PlannedCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly note: string
}

export type MediaPlace = 'url' | 'file'

/** The tool calls, in order, for those of the endpoints that are live. `wantedOf` returns the parts of a request that the goal states. */
export function toolCallsFor(
  models: ReadonlySet<ModelName>,
  endpointIds: readonly string[],
  media: MediaPlace,
  wantedOf: (endpoint: LiveEndpoint) => WantedJob,
): PlannedCall[] {
  const found = endpointIds.map((id) => findEndpointWith(models, id))
  const live = found.filter((endpoint) => endpoint?.stage === 'live')
  const upload = live.some(({ readsMedia }) => readsMedia) ? uploadCalls(media) : []
  return [...upload, ...live.flatMap((endpoint) => jobCallsFor(endpoint, wantedOf(endpoint)))]
}

export interface WantedJob {
  readonly start?: string
  readonly end?: string
  readonly settings?: Readonly<Record<string, unknown>>
}

/** The calls, before them the transcription that their captions need of a job of its own. */
export function transcribeFirst(calls: readonly PlannedCall[]): readonly PlannedCall[] {
  if (!JSON.stringify(calls).includes(placeholders.transcriptJob)) return calls
  const request = { endpoint: 'audio/find-words', media_url: '<media_url>', idempotency_key: '<another one>' }
  const note = `Transcribes the media. Its id is ${placeholders.transcriptJob} below.`
  const transcribing = [{ tool: 'svc.create_job', arguments: request, note }, waitCall(placeholders.transcriptJob)]
  const uploads = calls.filter((call) => call === uploadCall)
  return [...uploads, ...transcribing, ...calls.filter((call) => call !== uploadCall)]
}

/** The tool calls that run a chain whose steps are all live. */
export function runCallsFor({ id, summary, example }: Chain, media: MediaPlace, stated: StepSettings): PlannedCall[] {
  const tool = 'svc.create_workflow_job'
  const settings = { ...example, ...stated }
  const request = { workflow_id: id, media_url: '<media_url>', ...(isEmpty(settings) ? {} : { settings }) }
  const run = { ...request, mode: 'run_all', idempotency_key: '<one of your own>' }
  return [
    ...uploadCalls(media),
    { tool, arguments: request, note: checkNote },
    { tool, arguments: run, note: summary },
    waitCall('<id of the run>'),
    resultCall('<id of the run>', 'The result of the chain.'),
  ]
}

export function notesFor(models: ReadonlySet<ModelName>, missing: readonly string[]): string[] {
  return missing.map((id) => `${id} is a preview and does not run yet: ${alternativeTo(models, id)}.`)
}

function alternativeTo(models: ReadonlySet<ModelName>, id: string): string {
  const endpoint = findEndpointWith(models, id)
  return (endpoint?.stage === 'preview' && endpoint.alternative) || 'leave this step out'
}

const uploadCall: PlannedCall = {
  tool: 'svc.create_upload',
  arguments: { filename: placeholders.file },
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

function jobCallsFor(endpoint: LiveEndpoint, wanted: WantedJob): PlannedCall[] {
  const { readsMedia, summary } = endpoint
  const { id, settings, ...example } = { ...exampleOf(endpoint), id: endpoint.id }
  const isStated = !isEmpty(wanted)
  const request = {
    ...(isStated ? { endpoint: id, ...wanted, settings: { ...wanted.settings } } : { ...example, settings }),
    ...(readsMedia ? { media_url: '<media_url>' } : {}),
  }
  return [
    ...(readsMedia ? [{ tool: 'svc.check_job_readiness', arguments: request, note: checkNote }] : []),
    { tool: 'svc.create_job', arguments: { ...request, idempotency_key: '<one of your own>' }, note: summary },
    waitCall(placeholders.job),
    resultCall(placeholders.job, 'The result, and the input of a next step.'),
  ]
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
