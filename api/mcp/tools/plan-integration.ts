import { z } from 'zod'
import { type Chain, missingSteps } from '../../../src/chains/chains.ts'
import { installModels, ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { endpoints, liveEndpoint } from '../../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../../src/endpoints/define-endpoint.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { describePrice } from '../../catalog/routes.ts'
import type { JobRequest } from '../../jobs/validate.ts'
import { presentWorkflow } from '../../runs/read.ts'
import { workflow as workflowSchema } from '../../runs/schema.ts'
import { definePublicTool, lookUp } from '../define-tool.ts'
import { rankWork, toolsFor, type Work } from './rank-work.ts'

interface PlannedCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly note: string
}

const mediaPlaces = ['url', 'file'] as const
type MediaPlace = (typeof mediaPlaces)[number]

/** What every plan may leave to the caller, and what to replace it by. */
const ownPlaceholders: Readonly<Record<string, string>> = {
  '<filename>': 'the name of the local file',
  '<media_url>': 'the URL of the media; for an upload, its media_url',
  '<start>': 'a time, in seconds or HH:MM:SS: the beginning of a clip, or the moment that it is around',
  '<end>': 'the time where the clip ends. Without it, the clip extends to the end of the media',
  '<idempotency_key>': 'a text of your own, which makes a retry safe',
  '<job_id>': 'the job_id that svc.create_job returns',
  '<run_id>': 'the id of the run that svc.create_workflow_job returns',
}

/** The same with what the endpoints leave open. A placeholder of two endpoints may stand for different things. */
function placeholdersOf(works: readonly LiveEndpoint[]): Readonly<Record<string, string>> {
  const open = works.flatMap((endpoint) => Object.entries(endpoint.open?.placeholders ?? {}))
  return { ...ownPlaceholders, ...Object.fromEntries(open) }
}

const allPlaceholders = placeholdersOf(endpoints)

/** The calls, in order, that check a job or a run, create it, wait for it and return its result. */
export function callsOf(work: Work, media: MediaPlace, goal = ''): PlannedCall[] {
  const { tool, check, request, more, id } = 'steps' in work ? runOf(work) : jobOf(work, goal)
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
  const settings = Object.keys(example).map((step) => [step, liveEndpoint(step).open?.settings] as const)
  const request = { workflow_id: id, media_url: '<media_url>', ...withSettings(Object.fromEntries(settings)) }
  return { tool, check: tool, request, more: { mode: 'run_all' }, id: '<run_id>' }
}

/** The job has the start and the end that the example has, and the settings that only the caller can fill in, if the goal needs them. */
function jobOf({ id, example, open, readsMedia }: LiveEndpoint, goal: string) {
  const window = {
    ...(example.start === undefined ? {} : { start: '<start>' }),
    ...(example.end === undefined ? {} : { end: '<end>' }),
  }
  const media = readsMedia ? { media_url: '<media_url>' } : {}
  const settings = open?.needlessFor?.test(goal) ? {} : open?.settings
  const request = { endpoint: id, ...media, ...window, ...withSettings(settings) }
  return { tool: 'svc.create_job', check: 'svc.check_job_readiness', request, more: {}, id: '<job_id>' }
}

function withSettings(settings: object = {}): object {
  return Object.keys(settings).length > 0 ? { settings } : {}
}

/** How to replace the placeholders in the arguments of the calls, which run these endpoints. */
export function notesOnPlaceholders(calls: readonly PlannedCall[], endpointIds: readonly string[]): string[] {
  const given = JSON.stringify(calls.map((call) => call.arguments))
  return Object.entries(placeholdersOf(endpointIds.map(liveEndpoint)))
    .filter(([placeholder]) => given.includes(`"${placeholder}"`))
    .map(([placeholder, meaning]) => `Replace ${placeholder} by ${meaning}.`)
}

/** Refuses what a plan left to the caller. Other texts between angle brackets are settings like any other. */
export function refusePlaceholders({ start, end, settings }: Pick<JobRequest, 'start' | 'end' | 'settings'>): void {
  const parts: unknown[] = [start, end, settings]
  // A caller decides how deep settings are, so that this does not call itself.
  for (const part of parts) {
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) parts.push(inner)
    if (typeof part !== 'string' || !Object.hasOwn(allPlaceholders, part)) continue
    throw new ServiceError('invalid_request', `Replace ${part}, which the plan left open, by what the user wants.`)
  }
}

const maxPlans = 3
/** A plan takes the time of the API's only thread, by the length of its goal. */
const maxGoalLength = 300

/** What people expect of media services, and what comes near to it. */
const notOffered = [
  'other languages than English, translating, dubbing: settings.captions.text of a clip takes subtitles that you have translated',
  'joining different media, changing the order of parts: a job reads one file, and ranges play in its order',
  'live streams, pages of video sites such as YouTube: send the URL of a complete file, or upload it',
  'publishing, email: svc.create_share makes a public page of a result, and svc.manage_webhooks calls a server when a job ends',
  'removing noise, removing or adding music, muting, bleeping, changing voices: the chain clean-speech cuts words out',
  'changing the loudness of a part: settings.loudness of a clip is for the whole file',
  'adding titles, pictures, transitions: settings.captions of a clip draws captions, and settings.brand a logo',
  'changing colours, rotating, zooming, blurring, slow motion, other speeds and frame rates',
  'GIF, PNG, PDF, Word: settings.format of a clip lists its formats, and frames are JPEGs',
  'generating media or speech',
  'recognizing speakers, people, things, scenes, music, advertisements',
  'summaries, notes: audio/find-words returns the transcript, audio/semantic-chunks its topics, and timeline/find-highlights what stands out',
  'shortening media to a given length, or to a given size',
  'reading codecs, resolution and frame rate',
]

const plan = z.object({
  workflow: z.object(workflowSchema.shape).nullable().describe('null: an endpoint is enough.'),
  endpoint: z.string().optional().describe('The endpoint, without a chain.'),
  needs: z.string().optional(),
  price: z.string().optional(),
  steps: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), note: z.string() })),
  notes: z.array(z.string()).describe('How to replace each placeholder, or why there is no plan.'),
})
type Plan = z.output<typeof plan>

const noWork = 'No endpoint was found for this goal. Say it in other words, in English, or call svc.list_endpoints.'

/** Why there is no plan, and what does without one. */
function withoutPlan(goal: string): string[] {
  const fitting = toolsFor(goal, maxPlans)
  if (fitting.length === 0) return [noWork]
  return [
    'No endpoint fits this goal. These tools may, and are free:',
    ...fitting.map(({ id, does }) => `${id} ${does}.`),
  ]
}

export const planIntegrationTool = definePublicTool({
  name: 'plan_integration',
  title: 'Plan an integration',
  description:
    'Turns a goal in words, such as "remove the silences of a podcast", into plans with the best three chains or endpoints: needs, price, and tool calls in order. Reads no times or names in the goal: replace placeholders such as <start>. Lists what no endpoint does. Spends nothing.',
  annotations: lookUp,
  input: strictFields({
    goal: z.string().trim().min(1).max(maxGoalLength).describe(`In English, at most ${maxGoalLength} characters.`),
    media: z.enum(mediaPlaces).default('url').describe('file: the media is a local file.'),
  }),
  example: { goal: 'remove the silences of a podcast' },
  output: z.object({
    ...plan.shape,
    alternatives: z
      .array(
        z.object({
          workflow_id: z.string().optional(),
          ...plan.pick({ endpoint: true, needs: true, price: true }).shape,
          summary: z.string(),
        }),
      )
      .describe('What else comes near, without its calls.'),
    not_offered: z.array(z.string()),
  }),
  run: async ({ goal, media }, { named, context: { models } }) => {
    const found = rankWork(goal, maxPlans)
    const exported = exportNote(goal)
    const plans = found.map((work) => planFor(work, { goal, media, models, named, exported }))
    const [
      best = { workflow: null, steps: [], notes: [...withoutPlan(goal), ...exported].map(named) },
      ...alternatives
    ] = plans
    const titles = found.map(({ id, summary }, at) => {
      const { needs = '', price = '' } = plans[at] ?? {}
      return `${id}: ${summary} ${needs} ${price}`.trim()
    })
    const others = found.slice(1).map((work, at) => {
      const { endpoint, needs, price } = alternatives[at] ?? {}
      const id = 'steps' in work ? { workflow_id: work.id } : { endpoint }
      return { ...id, summary: work.summary, needs, price }
    })
    const not_offered = notOffered.map(named)
    const lines = [
      ...titles.slice(0, 1),
      ...best.steps.map(
        ({ tool, arguments: given, note }, at) => `${at + 1}. ${tool} ${JSON.stringify(given)}: ${note}`,
      ),
      ...best.notes,
      ...titles.slice(1).map((title) => `Or ${title}`),
      `Not offered: ${not_offered.join('; ')}.`,
    ]
    return { structured: { ...best, alternatives: others, not_offered }, text: lines.join('\n') }
  },
})

const editors = /\b(?:editors?|edl|fcpxml|xmeml|otio|premiere|final cut|resolve|davinci|avid|audacity|cut lists?)\b/i
const marking = /\b(?:mark|marks|marked|marker|markers)\b/i

/** How to get the times into an editor: marked on the whole media, or cut out of it. Empty if the goal names neither. */
export function exportNote(goal: string): string[] {
  const isMarked = marking.test(goal)
  if (!isMarked && !editors.test(goal)) return []
  const what = isMarked
    ? 'what=markers, which leaves the media whole and marks each time on it; jobs= adds those of other jobs'
    : 'what=cuts, which plays what was found, part after part; what=markers would mark it on the whole media'
  return [
    `For an editor, GET /v1/jobs/{job_id}/export, or /v1/workflow-runs/{run_id}/export, with a key or a connector: as=fcpxml (Final Cut Pro), xmeml (Premiere Pro), edl (DaVinci Resolve), otio, labels (Audacity) or csv, and ${what}.`,
  ]
}

interface Planning {
  readonly goal: string
  readonly media: MediaPlace
  readonly models: ReadonlySet<ModelName>
  readonly named: (text: string) => string
  /** How to get the times into an editor, if the goal asks for that. */
  readonly exported: readonly string[]
}

function planFor(work: Work, { goal, media, models, named, exported }: Planning): Plan {
  const isChain = 'steps' in work
  const endpointIds = isChain ? work.steps : [work.id]
  const missing = missingSteps({ steps: endpointIds }, models)
  const steps = missing.length > 0 ? [] : callsOf(work, media, goal)
  const previews = missing.map((id) => `${id} is a preview and does not run yet: ${installModels}.`)
  const shared = {
    needs: needsOf(endpointIds),
    steps: steps.map((step) => ({ ...step, tool: named(step.tool) })),
    notes: [...previews, ...notesOnPlaceholders(steps, endpointIds), ...exported].map(named),
  }
  if (!isChain) return { workflow: null, endpoint: work.id, price: describePrice(work), ...shared }
  const workflow = presentWorkflow(work, models)
  const { max_usd_per_hour: usd } = workflow
  return { workflow, ...(usd === undefined ? {} : { price: `At most ${usd} USD for an hour of media.` }), ...shared }
}

function needsOf(endpointIds: readonly string[]): string {
  const needs = endpointIds
    .map(liveEndpoint)
    .filter((endpoint) => endpoint.readsMedia)
    .map((endpoint) => endpoint.needs)
  if (needs.length === 0) return 'Needs results of earlier jobs.'
  const tracks = (['audio', 'video'] as const).filter((kind) => needs.some((each) => each[kind]))
  return tracks.length > 0 ? `Needs media with ${tracks.join(' and ')}.` : 'Needs media.'
}
