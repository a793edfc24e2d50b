import { z } from 'zod'
import type { Client } from '../../scripts/client.ts'
import { newId } from '../../src/core/ids.ts'
import { timeJob } from '../lab-stack.ts'
import type { Inspector } from './inspector.ts'

const named = z.object({ workflow_id: z.string().optional(), endpoint: z.string().optional() })
const planned = named.extend({
  workflow: z.object({ id: z.string() }).nullable(),
  alternatives: z.array(named),
  steps: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  notes: z.array(z.string()),
})
type Step = z.output<typeof planned>['steps'][number]

/** What `svc.plan_integration` answers. */
export async function planFor({ call }: Inspector, goal: string) {
  const { structuredContent, tokens } = await call('svc.plan_integration', { goal })
  const { workflow, endpoint, alternatives, steps, notes } = planned.parse(structuredContent)
  const others = alternatives.map((other) => other.workflow_id ?? other.endpoint)
  return { tokens, steps, notes, ids: [workflow?.id ?? endpoint, ...others].filter((id) => id !== undefined) }
}

const state = z.object({ id: z.string(), status: z.string() }).optional()
const created = z.object({ job: state, run: state })
const wanted: Readonly<Record<string, string>> = { '<start>': '1', '<end>': '4', '<time>': '2', '<words>': 'asterisk' }

/** Makes the calls of plans, as a model does that knows the media and reads the notes. */
export function createFollower(inspector: Inspector, client: Client, mediaUrl: string) {
  const earlierJobs = new Map<string, string>()

  /** The calls' tokens in total, and why a call failed. */
  return async function follow({
    steps,
    notes,
  }: {
    readonly steps: readonly Step[]
    readonly notes: readonly string[]
  }) {
    let [tokens, made] = [0, '']
    for (const { tool, arguments: open } of steps) {
      const given = await fill(open, notes, made)
      const answer = await inspector.call(tool, given)
      tokens += answer.tokens
      // The media had nothing of what was asked for, which only the job could say.
      if (answer.failure.startsWith('nothing_found')) return { tokens }
      if (answer.failure) return { tokens, failure: `${tool} answered ${answer.failure}` }
      const { job, run } = created.parse(answer.structuredContent)
      made ||= run?.id ?? job?.id ?? ''
      if (tool === 'svc.get_job') await waitFor(given)
    }
    return { tokens }
  }

  async function fill(open: object, notes: readonly string[], made: string) {
    let text = JSON.stringify(open)
    for (const name of new Set(text.match(/<[a-z_]+>(?=")/g))) {
      const note = notes.find((each) => each.startsWith(`Replace ${name} `)) ?? ''
      text = text.replaceAll(`"${name}"`, JSON.stringify(await fillIn(name, note, made)))
    }
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  }

  async function fillIn(name: string, note: string, made: string): Promise<string> {
    if (name === '<media_url>') return mediaUrl
    if (name === '<job_id>' || name === '<run_id>') return made
    if (!name.endsWith('_job_id>')) return wanted[name] ?? newId('req')
    const [endpoint = 'audio/detect-silence'] = /\b(?:audio|video)\/[a-z-]+/.exec(note) ?? []
    const id = earlierJobs.get(name + endpoint) ?? (await timeJob(client, { endpoint, media_url: mediaUrl })).id
    earlierJobs.set(name + endpoint, id)
    return id
  }

  /** Repeats the call, as its note says. A model keeps the last answer alone. */
  async function waitFor(given: object): Promise<void> {
    for (;;) {
      const { job, run } = created.parse((await inspector.call('svc.get_job', given)).structuredContent)
      const status = (run ?? job)?.status
      if (status === 'completed' || status === 'failed') return
    }
  }
}
