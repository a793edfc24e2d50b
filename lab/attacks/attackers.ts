import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, jobResponse } from '../../scripts/client.ts'
import type { AttackMedia } from '../hostile/attack-media.ts'
import type { MediaHost } from '../hostile/media-host.ts'
import { untilAccepted } from './victim.ts'

/** As many as an account may run. */
export const jobsAtOnce = 20

/** Jobs on one uploaded file, each with settings of its own. */
export async function jobsOn(
  name: keyof AttackMedia,
  jobOf: (turn: number) => object,
  { media }: AttackWorld,
  { client }: Attacker,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const media_url = await untilAccepted(() => client.uploadBytes(`${name}.mp4`, media[name]))
  return runJobs((turn) => ({ ...jobOf(turn), media_url }), client, signal)
}

/** Jobs, as many as the account may run; how they end, and the highest price. */
export async function runJobs(jobOf: (turn: number) => object, client: Client, signal: AbortSignal): Promise<string[]> {
  const ends = new Map<string, number>()
  let price = 0
  await repeatUntil(signal, jobsAtOnce, async (turn) => {
    const { id } = await client.create({ ...jobOf(turn) })
    const ended = await untilJobEnds(client, id, signal)
    if (!ended) return true
    price = Math.max(price, ended.final_price_usd ?? 0)
    const end = ended.error?.code ?? ended.status
    ends.set(end, (ends.get(end) ?? 0) + 1)
    return true
  })
  return [...countedEnds(ends), `${price} USD a job`]
}

/** Sends estimates, `simultaneous` of them at a time, and counts the statuses. A sender pauses after a status that is not `expected`. */
export async function estimatesOf(
  bodyOf: (turn: number) => object | undefined,
  { simultaneous, expected }: { readonly simultaneous: number; readonly expected: number },
  { client }: Attacker,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ends = new Map<string, number>()
  await repeatUntil(signal, simultaneous, async (turn) => {
    const { status } = await client.send('POST', '/v1/estimate', bodyOf(turn))
    ends.set(`${status}`, (ends.get(`${status}`) ?? 0) + 1)
    return status === expected
  })
  return countedEnds(ends)
}

export function countedEnds(ends: ReadonlyMap<string, number>): readonly string[] {
  return [...ends].map(([end, times]) => `${times} × ${end}`)
}

export async function untilJobEnds(client: Client, id: string, signal: AbortSignal) {
  while (!signal.aborted) {
    const { status, body } = await client.send('GET', `/v1/jobs/${id}?wait=5`)
    const { success, data } = jobResponse.safeParse(body)
    if (success && (data.job.status === 'completed' || data.job.status === 'failed')) return data.job
    if (status >= 300) await sleep(1000)
  }
  await client.send('POST', `/v1/jobs/${id}/cancel`)
  return undefined
}

/** A free account that attacks. */
export interface Attacker {
  readonly client: Client
  /** A header with an address of the account's own, as a proxy would send it. */
  readonly headers: Readonly<Record<string, string>>
}

export interface AttackWorld {
  readonly baseUrl: string
  readonly media: AttackMedia
  readonly host: MediaHost
}

/** One way to take the service from the others. */
export interface Attack {
  readonly id: string
  /** What the attacker does, for the table. */
  readonly attack: string
  /** What bounds it, for the table. */
  readonly bound: string
  /** Attacks until the signal. Returns what was measured besides time and memory, for the table. */
  run(world: AttackWorld, attacker: Attacker, signal: AbortSignal): Promise<readonly string[]>
}

/** Repeats the work in parallel lanes until the signal. A lane whose work is refused pauses before the next turn. */
export async function repeatUntil(
  signal: AbortSignal,
  parallel: number,
  work: (turn: number) => Promise<boolean>,
): Promise<void> {
  let turn = 0
  const lane = async () => {
    while (!signal.aborted) {
      turn += 1
      const isAccepted = await work(turn).catch(() => false)
      if (!isAccepted) await new Promise((resolve) => setTimeout(resolve, refusedPauseMilliseconds))
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
}

const refusedPauseMilliseconds = 500
