import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, jobResponse } from '../client.ts'
import type { AttackMedia } from '../hostile/attack-media.ts'
import { type Attacker, type AttackWorld, repeatUntil } from './attack.ts'
import { untilAccepted } from './victim.ts'

/** As many as an account may run. */
export const jobsAtOnce = 20

/** Jobs on one uploaded file, as many as the account may run, each with settings of its own. */
export async function jobsOn(
  name: keyof AttackMedia,
  jobOf: (turn: number) => Readonly<Record<string, unknown>>,
  { media }: AttackWorld,
  { client }: Attacker,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ends = new Map<string, number>()
  let price = 0
  const media_url = await untilAccepted(() => client.uploadBytes(`${name}.mp4`, media[name]))
  await repeatUntil(signal, jobsAtOnce, async (turn) => {
    const { id } = await client.create({ ...jobOf(turn), media_url })
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
