import type { Client } from '../scripts/client.ts'

export interface Load {
  readonly speech: string
  readonly film: string
}

/** Jobs of every kind in turn, including some that fail or are canceled. */
const mix: readonly ((load: Load) => Record<string, unknown>)[] = [
  ({ speech }) => ({ endpoint: 'audio/detect-silence', media_url: speech, end: 20 }),
  ({ film }) => ({ endpoint: 'video/clip-window', media_url: film, start: 1, end: 2 }),
  ({ speech }) => ({ endpoint: 'audio/detect-energy', media_url: speech, end: 20 }),
  ({ speech }) => ({ endpoint: 'video/clip-near', media_url: speech, start: 30 }),
  ({ speech }) => ({ endpoint: 'video/clip-window', media_url: speech, start: 10, end: 12 }),
  ({ speech }) => ({ endpoint: 'video/clip-window', media_url: speech, start: 1_000, end: 1_001 }),
]
const canceledEvery = 11

/** Runs job number `turn`, checks that it ends as its kind should, and returns its status. */
export async function runOneJob(client: Client, load: Load, turn: number): Promise<'completed' | 'failed'> {
  const request = mix[turn % mix.length]
  if (!request) throw new RangeError('no such job')
  const { id } = await client.create(request(load))
  const isCanceled = turn % canceledEvery === 0
  if (isCanceled) await client.send('POST', `/v1/jobs/${id}/cancel`)
  const { status, error } = await client.ended(id, 300)
  const mayFail = isCanceled || turn % mix.length === mix.length - 1
  if (status === 'failed' && !mayFail) throw new Error(`${id}: ${error?.message}`)
  return status === 'failed' ? 'failed' : 'completed'
}
