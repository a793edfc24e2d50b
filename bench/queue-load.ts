import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, jobResponse } from '../scripts/client.ts'
import { percentile } from './percentile.ts'
import { timed } from './timed.ts'

export interface QueueLoadInput {
  /** A client of each account; they post simultaneously. */
  readonly clients: readonly Client[]
  readonly file: string
  readonly jobs: number
  /** Long polls that are open meanwhile. */
  readonly waiters: number
}

interface Spread {
  readonly p50: number
  readonly p99: number
}

export interface QueueLoad extends Pick<QueueLoadInput, 'waiters'> {
  readonly jobs: number
  readonly accounts: number
  /** Creates that were refused while the API was busy, and repeated. */
  readonly refused: number
  readonly createMs: Spread
  readonly pollMs: Spread
}

const seconds = 5

/** Posts jobs as fast as they are accepted, while long polls wait for them and one client polls. Does not wait for the last job. */
export async function measureQueueLoad({ clients, file, jobs, waiters }: QueueLoadInput): Promise<QueueLoad> {
  const [createMs, pollMs]: [number[], number[]] = [[], []]
  const posted: { readonly client: Client; readonly id: string }[] = []
  let refused = 0
  const post = async (client: Client, media_url: string, threshold: number): Promise<void> => {
    const body = { endpoint: 'audio/detect-silence', media_url, settings: { threshold } }
    const start = performance.now()
    const answer = await client.send('POST', '/v1/jobs', body)
    if (answer.status !== 503) {
      createMs.push(performance.now() - start)
      posted.push({ client, id: jobResponse.parse(answer.body).job_id })
      return
    }
    refused++
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000)
    return post(client, media_url, threshold)
  }
  const accounts = await Promise.all(clients.map(async (client) => ({ client, media_url: await client.upload(file) })))
  // The first of each account, so that there is a job to wait for.
  for (const { client, media_url } of accounts) await post(client, media_url, -20)

  let isPosting = true
  const read = async (turn: number, path: string) => {
    const job = posted[turn % posted.length]
    await job?.client.send('GET', `/v1/jobs/${job.id}${path}`)
  }
  const wait = async (index: number) => {
    for (let turn = index; isPosting; turn += waiters) await read(turn, `?wait=${seconds}`)
  }
  const poll = async () => {
    for (let turn = 0; isPosting; turn++) pollMs.push(await timed(() => read(turn, '')))
  }
  const reading = [poll(), ...Array.from({ length: waiters }, (_, index) => wait(index))]
  const postAll = accounts.map(async ({ client, media_url }) => {
    for (let turn = 1; turn < jobs / accounts.length; turn++) {
      await post(client, media_url, -20 - (turn % 60))
    }
  })
  const posting = Promise.all(postAll).finally(() => {
    isPosting = false
  })
  await Promise.all([posting, ...reading])
  return {
    jobs: posted.length,
    accounts: accounts.length,
    refused,
    waiters,
    createMs: spread(createMs),
    pollMs: spread(pollMs),
  }
}

function spread(values: readonly number[]): Spread {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99) }
}
