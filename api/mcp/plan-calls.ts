import type { Chain } from '../../src/chains/chains.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import type { JobRequest } from '../jobs/request-schema.ts'
import type { Work } from './rank-work.ts'

export interface PlannedCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly note: string
}

export const mediaPlaces = ['url', 'file'] as const
export type MediaPlace = (typeof mediaPlaces)[number]

/** What a plan leaves to the caller, and what to replace it by. */
const placeholders: Readonly<Record<string, string>> = {
  '<filename>': 'the name of the local file',
  '<media_url>': 'the URL of the media; for an upload, its media_url',
  '<start>': 'a time, in seconds or HH:MM:SS: the beginning of a clip, or the moment that it is around',
  '<end>': 'the time where the clip ends. Without it, the clip extends to the end of the media',
  '<words>': 'a word or phrase to find. Without queries, the result is all that is said or shown',
  '<time>': 'a time, in seconds or HH:MM:SS',
  '<earlier_job_id>': 'the id of a completed job that found segments; svc.list_jobs lists jobs',
  '<another_job_id>': 'the id of another such job on the same media',
  '<idempotency_key>': 'a text of your own, which makes a retry safe',
  '<job_id>': 'the job_id that svc.create_job returns',
  '<run_id>': 'the id of the run that svc.create_workflow_job returns',
}

/** The settings that only the caller can fill in. Others have defaults. */
const openSettings = {
  queries: ['<words>'],
  times: ['<time>'],
  job_id: '<earlier_job_id>',
  job_ids: ['<earlier_job_id>', '<another_job_id>'],
}

/** The calls, in order, that check a job or a run, create it, wait for it and return its result. */
export function callsOf(work: Work, media: MediaPlace): PlannedCall[] {
  const { tool, check, request, more, id } = 'steps' in work ? runOf(work) : jobOf(work)
  const readsMedia = 'media_url' in request
  return [
    ...(readsMedia && media === 'file' ? [uploadCall] : []),
    ...(readsMedia
      ? [{ tool: check, arguments: request, note: 'Returns the price of this media. Spends nothing.' }]
      : []),
    { tool, arguments: { ...request, ...more, idempotency_key: '<idempotency_key>' }, note: work.summary },
    {
      tool: 'svc.get_job',
      arguments: { job_id: id, wait_seconds: 30 },
      note: 'Repeat until the status is completed or failed.',
    },
    { tool: 'svc.get_job_result', arguments: { job_id: id }, note: 'The result, with links to its files.' },
  ]
}

const uploadCall: PlannedCall = {
  tool: 'svc.create_upload',
  arguments: { filename: '<filename>' },
  note: 'PUT the bytes to upload_url with upload_headers; send media_url to jobs.',
}

function runOf({ id, example = {} }: Chain) {
  const tool = 'svc.create_workflow_job'
  const settings = Object.entries(example).map(([endpoint, given]) => [endpoint, openAmong(given)] as const)
  const request = { workflow_id: id, media_url: '<media_url>', ...withSettings(Object.fromEntries(settings)) }
  return { tool, check: tool, request, more: { mode: 'run_all' }, id: '<run_id>' }
}

/** An endpoint that reads media is called as in its example; another with results of earlier jobs. */
function jobOf({ id, example, settings, readsMedia }: LiveEndpoint) {
  const window = {
    ...(example.start === undefined ? {} : { start: '<start>' }),
    ...(example.end === undefined ? {} : { end: '<end>' }),
  }
  const open = withSettings(openAmong(readsMedia ? example.settings : settings.shape))
  const request = { endpoint: id, ...(readsMedia ? { media_url: '<media_url>' } : {}), ...window, ...open }
  return { tool: 'svc.create_job', check: 'svc.check_job_readiness', request, more: {}, id: '<job_id>' }
}

function openAmong(settings: object): object {
  return Object.fromEntries(Object.entries(openSettings).filter(([name]) => name in settings))
}

function withSettings(settings: object): object {
  return Object.keys(settings).length > 0 ? { settings } : {}
}

/** How to replace the placeholders in the arguments of the calls. */
export function notesOnPlaceholders(calls: readonly PlannedCall[]): string[] {
  const given = JSON.stringify(calls.map((call) => call.arguments))
  return Object.entries(placeholders)
    .filter(([placeholder]) => given.includes(`"${placeholder}"`))
    .map(([placeholder, meaning]) => `Replace ${placeholder} by ${meaning}.`)
}

/** Refuses what a plan left to the caller. Other texts between angle brackets are settings like any other. */
export function refusePlaceholders({ start, end, settings }: Pick<JobRequest, 'start' | 'end' | 'settings'>): void {
  const parts: unknown[] = [start, end, settings]
  // A caller decides how deep settings are, so that this does not call itself.
  for (const part of parts) {
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) parts.push(inner)
    if (typeof part !== 'string' || !Object.hasOwn(placeholders, part)) continue
    throw new ServiceError('invalid_request', `Replace ${part}, which the plan left open, by what the user wants.`)
  }
}
