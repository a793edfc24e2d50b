import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, jobResponse } from '../../scripts/client.ts'
import { percentile } from '../figures.ts'

/** A clip of a minute of sound: new work each time, which keeps a core busy. */
const clip = { endpoint: 'video/clip-window', end: 60 }
const waitSeconds = 20
const measuredSeconds = 60
const createsPerSecond = 10
const pollsPerSecond = 20

interface QueueLoad {
  /** A client of each account that fills the queue; they post simultaneously. */
  readonly clients: readonly Client[]
  /** Clients of other accounts, whose requests are measured. */
  readonly visitors: readonly Client[]
  /** Sound of more than a minute. */
  readonly file: string
  readonly jobs: number
  /** Long polls of the jobs in the queue that are open meanwhile. */
  readonly waiters: number
  /** The number of jobs that have not ended. */
  readonly countOpenJobs: () => Promise<number>
}

/**
 * Fills the queue of saturated workers, then measures requests of other accounts at a steady pace, each from the moment when it is
 * due: a slow answer delays no later request. Does not wait for the last job.
 */
export async function measureQueueLoad(load: QueueLoad): Promise<string> {
  const { clients, visitors, file, jobs, waiters, countOpenJobs } = load
  const queued: { readonly client: Client; readonly id: string }[] = []
  const fill = async (client: Client) => {
    const media_url = await client.upload(file)
    for (let turn = 0; turn < jobs / clients.length; turn++) {
      const { status, headers, body } = await client.send('POST', '/v1/jobs', { ...clip, media_url, start: turn / 100 })
      if (status === 503) await sleep(Number(headers.get('retry-after') ?? 1) * 1000)
      else queued.push({ client, id: jobResponse.parse(body).job_id })
    }
  }
  await Promise.all(clients.map(fill))

  let isWaiting = true
  const waiting = Array.from({ length: waiters }, async (_, index) => {
    // The last jobs of the queue, so that they are still in it.
    const job = queued[queued.length - 1 - (index % queued.length)]
    // Clients that began together would ask again together, each time.
    await sleep((index / waiters) * waitSeconds * 1000)
    while (isWaiting) await job?.client.send('GET', `/v1/jobs/${job.id}?wait=${waitSeconds}`)
  })
  const own = await Promise.all(
    visitors.map(async (client) => {
      const media_url = await client.upload(file)
      return { client, media_url, id: (await client.create({ ...clip, media_url })).id }
    }),
  )
  await sleep(waitSeconds * 1000)

  let refused = 0
  const send = async (method: string, turn: number) => {
    const { client, media_url, id } = own[turn % own.length] ?? {}
    const body = { ...clip, media_url, start: turn / 1000 }
    const answer = await (method === 'POST'
      ? client?.send(method, '/v1/jobs', body)
      : client?.send(method, `/v1/jobs/${id}`))
    if (answer?.status === 503) refused += 1
    else if (!answer || answer.status >= 300) throw new Error(`${method} answered ${JSON.stringify(answer?.body)}`)
  }
  const before = await countOpenJobs()
  const [createMs, pollMs] = await Promise.all([
    atPace(createsPerSecond, (turn) => send('POST', turn)),
    atPace(pollsPerSecond, (turn) => send('GET', turn)),
  ])
  const after = await countOpenJobs()
  isWaiting = false
  await Promise.all(waiting)
  const row = (name: string, times: readonly number[], goal: number) =>
    `| ${name} | ${Math.round(percentile(times, 0.5))} ms | ${Math.round(percentile(times, 0.99))} ms | ≤ ${goal} ms |`
  return `${clients.length} accounts queued ${queued.length} jobs, each a clip of a minute of sound, and ${waiters} long polls waited for the last of them. Meanwhile ${visitors.length} other accounts sent
${createsPerSecond} creates and ${pollsPerSecond} polls a second for ${measuredSeconds} s, each at its time, whether or not earlier ones were answered. ${before} jobs were queued when that
began, and ${after} when it ended; ${refused} requests were refused with 503.

| | p50 | p99 | goal, p99 |
|---|---|---|---|
${row('create', createMs, 250)}
${row('poll', pollMs, 100)}
`
}

/** Begins a call at each beat, whether or not the one before has ended. Returns the milliseconds from the beat to the end of each. */
async function atPace(perSecond: number, call: (turn: number) => Promise<void>): Promise<number[]> {
  const start = performance.now()
  return Promise.all(
    Array.from({ length: measuredSeconds * perSecond }, async (_, turn) => {
      const due = start + (turn * 1000) / perSecond
      await sleep(due - performance.now())
      await call(turn)
      return performance.now() - due
    }),
  )
}
