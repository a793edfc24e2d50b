import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client.ts'

const retryMilliseconds = 500
const maxTries = 120

/** How long each small job of an honest caller takes, from its upload to its result, in milliseconds. */
export async function measureVictim(client: Client, media: Buffer, signal: AbortSignal): Promise<readonly number[]> {
  const milliseconds: number[] = []
  do {
    const started = performance.now()
    const media_url = await untilAccepted(() => client.uploadBytes('small.wav', media))
    const { id } = await untilAccepted(() => client.create({ endpoint: 'audio/detect-silence', media_url }))
    const { status, error } = await untilAccepted(() => client.ended(id, 300))
    if (status !== 'completed') throw new Error(`the honest job ended as ${error?.code ?? status}`)
    milliseconds.push(performance.now() - started)
  } while (!signal.aborted)
  return milliseconds
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
