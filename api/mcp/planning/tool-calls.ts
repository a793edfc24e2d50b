import type { Chain } from '../../../src/chains/chains.ts'
import type { StepSettings } from '../../../src/chains/earlier-jobs.ts'
import { findEndpointWith } from '../../../src/endpoints/catalog.ts'
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
  const jobs = live.map((endpoint) => ({ endpoint, wanted: wantedOf(endpoint) }))
  const pictures = jobs.some(({ wanted }) => readsPictures(wanted)) ? [pictureCall] : []
  const upload = pictures.length === 0 && live.some(({ readsMedia }) => readsMedia) ? uploadCalls(media) : pictures
  return [...upload, ...jobs.flatMap(({ endpoint, wanted }) => jobCallsFor(endpoint, wanted, placeholders.job))]
}

export interface WantedJob {
  readonly start?: string
  readonly end?: string
  readonly settings?: Readonly<Record<string, unknown>>
}

/** The part of the media that a run covers, and the settings of its steps. */
export interface WantedRun {
  readonly start?: string
  readonly end?: string
  readonly settings: StepSettings
}

/** The tool calls that run a chain whose steps are all live. */
export function runCallsFor(
  { id, summary }: Chain,
  media: MediaPlace,
  { settings, ...window }: WantedRun,
): PlannedCall[] {
  const tool = 'svc.create_workflow_job'
  const stated = { ...window, ...(isEmpty(settings) ? {} : { settings }) }
  const request = { workflow_id: id, media_url: '<media_url>', ...stated }
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

export const uploadCall: PlannedCall = {
  tool: 'svc.create_upload',
  arguments: { filename: placeholders.file },
  note: 'PUT the bytes to upload_url with upload_headers; send media_url to jobs.',
}

const pictureCall: PlannedCall = {
  tool: 'svc.create_upload',
  arguments: { filename: placeholders.pictureFile },
  note: `For each picture: PUT the bytes to upload_url with upload_headers. The id of the upload is an ${placeholders.picture}.`,
}

export function uploadCalls(media: MediaPlace): PlannedCall[] {
  return media === 'file' ? [uploadCall] : []
}

export function waitCall(jobId: string): PlannedCall {
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

/** The calls that check a job, create it and return its result. `jobId` stands for its id. */
export function jobCallsFor(
  { id, readsMedia, summary }: LiveEndpoint,
  wanted: WantedJob,
  jobId: string,
): PlannedCall[] {
  const request = {
    endpoint: id,
    ...wanted,
    ...(readsMedia && !readsPictures(wanted) ? { media_url: '<media_url>' } : {}),
  }
  return [
    ...(readsMedia ? [{ tool: 'svc.check_job_readiness', arguments: request, note: checkNote }] : []),
    { tool: 'svc.create_job', arguments: { ...request, idempotency_key: '<one of your own>' }, note: summary },
    waitCall(jobId),
    resultCall(jobId, 'The result, and the input of a next step.'),
  ]
}

function readsPictures({ settings }: WantedJob): boolean {
  return settings !== undefined && Object.hasOwn(settings, 'upload_ids')
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
