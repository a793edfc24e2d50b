import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Client, createClient } from '../client.ts'

const retryMilliseconds = 500
const maxTries = 120

export const victimSchema = z.object({
  baseUrl: z.string(),
  key: z.string(),
  headers: z.record(z.string(), z.string()),
  mediaBase64: z.base64(),
  seconds: z.number(),
})

/** An honest caller, who sends one small job after the other for some seconds. */
export type Victim = Readonly<z.output<typeof victimSchema>>

/** Measures the victim in a process of its own: in the attackers' process it would wait for their work too. */
export async function measureVictimApart(victim: Victim): Promise<readonly number[]> {
  const child = fork(new URL('./victim-process.ts', import.meta.url), {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    execArgv: ['--import', 'tsx'],
  })
  child.send(victim)
  const ended = once(child, 'exit').then(() => {
    throw new Error('the process of the honest caller ended without its latencies')
  })
  const [milliseconds] = z
    .tuple([z.array(z.number())], z.unknown())
    .parse(await Promise.race([once(child, 'message'), ended]))
  return milliseconds
}

/** How long each small job takes, from its upload to its result, in milliseconds. Throws if a job fails. */
export async function measureVictim({
  baseUrl,
  key,
  headers,
  mediaBase64,
  seconds,
}: Victim): Promise<readonly number[]> {
  const client = createClient(baseUrl, key, headers)
  const signal = AbortSignal.timeout(seconds * 1000)
  const media = Buffer.from(mediaBase64, 'base64')
  const milliseconds: number[] = []
  do {
    const started = performance.now()
    await runSmallJob(client, media)
    milliseconds.push(performance.now() - started)
  } while (!signal.aborted)
  return milliseconds
}

async function runSmallJob(client: Client, media: Buffer): Promise<void> {
  const media_url = await untilAccepted(() => client.uploadBytes('small.wav', media))
  const { id } = await untilAccepted(() => client.create({ endpoint: 'audio/detect-silence', media_url }))
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
