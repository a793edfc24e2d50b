import * as z from 'zod/mini'
import type { Host, ToolResult } from './host.ts'

// What the app reads of answers of tools. It calls them through the host, with the access that the host has.

/** The service replaces it by the names that its tools begin with. */
const prefix = 'prefix-of-tools.'

const entry = z.object({ start: z.number(), end: z.number(), text: z.optional(z.string()) })
const address = z.object({ url: z.string() })

const timeline = z.object({
  name: z.optional(z.string()),
  media_seconds: z.optional(z.number()),
  media_url: z.optional(z.string()),
  studio_url: z.optional(z.string()),
  source: z.optional(address),
  outputs: z.array(z.object({ name: z.string(), url: z.string() })),
  lists: z.array(z.object({ name: z.string(), total: z.number(), entries: z.array(entry) })),
  waveform: z.optional(
    z.object({ job_id: z.string(), levels: z.array(z.object({ level: z.number(), tiles: z.number() })) }),
  ),
})

export type TimelineData = z.output<typeof timeline>
export type Entry = z.output<typeof entry>

const state = z.object({
  id: z.string(),
  status: z.string(),
  progress: z.optional(z.number()),
  error: z.optional(z.object({ message: z.string() })),
})

/** A job or a run. */
export type Work = z.output<typeof state>

const answer = z.object({
  job_id: z.optional(z.string()),
  job: z.optional(state),
  run: z.optional(state),
  plan: z.optional(z.object({ max_price_usd: z.number() })),
})

/** The error of a call that failed. */
export function problemOf({ isError, content }: ToolResult): string | undefined {
  return isError ? (content?.find(({ text }) => text !== undefined)?.text ?? 'The call failed.') : undefined
}

/** What the answer for which the app is shown is about: a job or a run, or the price of a plan. */
export function subjectOf({ structuredContent }: ToolResult): { work?: Work; planUsd?: number } {
  const { job_id: id, job, run, plan } = answer.safeParse(structuredContent).data ?? {}
  // svc.get_job_result answers for completed jobs only, and says so by having a result.
  const work = run ?? job ?? (id === undefined ? undefined : { id, status: 'completed' })
  return { ...(work && { work }), ...(plan && { planUsd: plan.max_price_usd }) }
}

export interface Service {
  readonly readTimeline: (id: string) => Promise<TimelineData>
  readonly readTile: (jobId: string, level: number, tile: number) => Promise<Uint8Array>
  /** The most that a clip costs, in USD. */
  readonly priceOf: (clip: Clip) => Promise<number>
  /** Spends money: the host asks its user. */
  readonly cut: (mediaUrl: string, clip: Clip) => Promise<Work>
  /** The work as it is at its end, or after some seconds. */
  readonly wait: (id: string) => Promise<Work>
}

export interface Clip {
  readonly start: number
  readonly end: number
}

const clipEndpoint = 'video/clip-window'
const waitSeconds = 20

export function createService({ callTool }: Pick<Host, 'callTool'>): Service {
  const call = async <Schema extends z.ZodMiniType>(tool: string, given: object, schema: Schema) => {
    const result = await callTool(`${prefix}${tool}`, given)
    const problem = problemOf(result)
    if (problem !== undefined) throw new Error(problem)
    return schema.parse(result.structuredContent)
  }
  const workOf = async (tool: string, given: object) => {
    const { job, run } = await call(tool, given, answer)
    const work = run ?? job
    if (!work) throw new Error('The answer names no job.')
    return work
  }
  const tiles = z.object({ tiles: z.array(z.object({ data: z.string() })) })
  const estimate = z.object({ estimated_price_usd: z.number() })
  return {
    readTimeline: (id) => call('read_timeline', { job_id: id }, timeline),
    readTile: async (jobId, level, tile) => {
      const found = await call('read_timeline', { job_id: jobId, tiles: [{ level, tile }] }, tiles)
      return Uint8Array.from(atob(found.tiles[0]?.data ?? ''), (character) => character.charCodeAt(0))
    },
    priceOf: async (clip) => {
      const given = { endpoint: clipEndpoint, ...clip, media_seconds: clip.end }
      return (await call('estimate_cost', given, estimate)).estimated_price_usd
    },
    cut: (media_url, clip) => workOf('create_job', { endpoint: clipEndpoint, media_url, ...clip }),
    wait: (id) => workOf('get_job', { job_id: id, wait_seconds: waitSeconds }),
  }
}
