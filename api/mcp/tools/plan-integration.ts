import { z } from 'zod'
import { missingSteps } from '../../../src/chains/chains.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { installModels } from '../../../src/core/not-installed.ts'
import { liveEndpoint } from '../../../src/endpoints/catalog.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { describePrice } from '../../catalog/present.ts'
import { presentWorkflow } from '../../runs/present.ts'
import { workflow as workflowSchema } from '../../runs/schema.ts'
import { definePublicTool, lookUp } from '../define-tool.ts'
import { callsOf, type MediaPlace, mediaPlaces, notesOnPlaceholders } from '../plan-calls.ts'
import { rankWork, type Work } from '../rank-work.ts'

const maxPlans = 3
/** A plan takes the time of the API's only thread, by the length of its goal. */
const maxGoalLength = 300

/** What people expect of media services, and what comes near to it. */
const notOffered = [
  'other languages than English, translating, dubbing: settings.captions.text of a clip takes subtitles that you have translated',
  'joining different media, changing the order of parts: a job reads one file, and ranges play in its order',
  'live streams, pages of video sites such as YouTube: send the URL of a complete file, or upload it',
  'publishing, email, webhooks: svc.get_job waits for the end of a job',
  'removing noise, removing or adding music, muting, bleeping, changing voices: the chain clean-speech cuts words out',
  'changing the loudness of a part: settings.loudness of a clip is for the whole file',
  'adding titles, logos, pictures, transitions: settings.captions of a clip draws captions',
  'changing colours, rotating, zooming, blurring, enlarging, slow motion, other speeds and frame rates',
  'GIF, PNG, PDF, Word: settings.format of a clip lists its formats, and frames are JPEGs',
  'generating media or speech',
  'recognizing speakers, people, things, scenes, music, advertisements',
  'summaries, notes, judging the best moments: audio/find-words returns the transcript, and audio/semantic-chunks its topics',
  'shortening media to a given length, or to a given size',
  'reading codecs, resolution and frame rate',
]

const plan = z.object({
  workflow: z.object(workflowSchema.shape).nullable().describe('null: an endpoint is enough.'),
  endpoint: z.string().optional().describe('The endpoint, without a chain.'),
  needs: z.string().optional(),
  price: z.string().optional(),
  steps: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), note: z.string() })),
  notes: z.array(z.string()).describe('How to replace each placeholder.'),
})
type Plan = z.output<typeof plan>

const noWork = 'No endpoint was found for this goal. Say it in other words, in English, or call svc.list_endpoints.'

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
  output: z.object({
    ...plan.shape,
    alternatives: z.array(z.looseObject({})).describe('The next best plans, in the same form.'),
    not_offered: z.array(z.string()),
  }),
  run: async ({ goal, media }, { named, context: { models } }) => {
    const found = rankWork(goal, maxPlans)
    const plans = found.map((work) => planFor(work, { media, models, named }))
    const [best = { workflow: null, steps: [], notes: [named(noWork)] }, ...alternatives] = plans
    const titles = found.map(({ id, summary }, at) => {
      const { needs = '', price = '' } = plans[at] ?? {}
      return `${id}: ${summary} ${needs} ${price}`.trim()
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
    return { structured: { ...best, alternatives, not_offered }, text: lines.join('\n') }
  },
})

interface Planning {
  readonly media: MediaPlace
  readonly models: ReadonlySet<ModelName>
  readonly named: (text: string) => string
}

function planFor(work: Work, { media, models, named }: Planning): Plan {
  const isChain = 'steps' in work
  const endpointIds = isChain ? work.steps : [work.id]
  const missing = missingSteps({ steps: endpointIds }, models)
  const steps = missing.length > 0 ? [] : callsOf(work, media)
  const previews = missing.map((id) => `${id} is a preview and does not run yet: ${installModels}.`)
  const shared = {
    needs: needsOf(endpointIds),
    steps: steps.map((step) => ({ ...step, tool: named(step.tool) })),
    notes: [...previews, ...notesOnPlaceholders(steps)].map(named),
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
