import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Client, createClient } from '../../scripts/client.ts'

const retryMilliseconds = 500
const maxTries = 120

/** A short job of each kind. */
const smallJobs = {
  sound: { fileName: 'small.wav', job: { endpoint: 'audio/detect-silence' } },
  picture: { fileName: 'small.mp4', job: { endpoint: 'video/thumbnail-score', settings: { times: [0.5] } } },
  words: { fileName: 'words.wav', job: { endpoint: 'audio/find-words' } },
} as const

export type SmallJob = keyof typeof smallJobs
const smallJob = z.enum(['sound', 'picture', 'words'])
export const smallJobNames = smallJob.options

/** How long the jobs of each kind take, in milliseconds. */
const latenciesSchema = z.record(smallJob, z.array(z.number()))
export type Latencies = Readonly<z.output<typeof latenciesSchema>>

export const victimSchema = z.object({
  baseUrl: z.string(),
  key: z.string(),
  headers: z.record(z.string(), z.string()),
  mediaBase64: z.record(smallJob, z.base64()),
  seconds: z.number(),
})

/** An honest caller, who sends one small job of each kind after the other for some seconds. */
export type Victim = Readonly<z.output<typeof victimSchema>>

/** Measures the victim in a process of its own: in the attackers' process it would wait for their work too. */
export async function measureVictimApart(victim: Victim): Promise<Latencies> {
  const child = fork(new URL('./victim-process.ts', import.meta.url), {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    execArgv: ['--import', 'tsx'],
  })
  child.send(victim)
  const ended = once(child, 'exit').then(() => {
    throw new Error('the process of the honest caller ended without its latencies')
  })
  const [latencies] = z.tuple([latenciesSchema], z.unknown()).parse(await Promise.race([once(child, 'message'), ended]))
  return latencies
}

/** How long each small job takes, from its upload to its result. Throws if a job fails. */
export async function measureVictim({ baseUrl, key, headers, mediaBase64, seconds }: Victim): Promise<Latencies> {
  const client = createClient(baseUrl, key, headers)
  const signal = AbortSignal.timeout(seconds * 1000)
  const latencies: Record<SmallJob, number[]> = { sound: [], picture: [], words: [] }
  do {
    for (const name of smallJobNames) {
      const media = Buffer.from(mediaBase64[name], 'base64')
      const started = performance.now()
      await runSmallJob(client, name, media)
      latencies[name].push(performance.now() - started)
    }
  } while (!signal.aborted)
  return latencies
}

async function runSmallJob(client: Client, name: SmallJob, media: Buffer): Promise<void> {
  const { fileName, job } = smallJobs[name]
  const media_url = await untilAccepted(() => client.uploadBytes(fileName, media))
  const { id } = await untilAccepted(() => client.create({ ...job, media_url }))
  const { status, error } = await untilAccepted(() => client.ended(id, 300))
  if (status !== 'completed') throw new Error(`the honest job ended as ${error?.code ?? status}`)
}

/** Retries what the service refuses for now, as clients should; the time counts. */
export async function untilAccepted<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send()
    } catch (error) {
      if (tries === maxTries) throw error
      await sleep(retryMilliseconds)
    }
  }
}
