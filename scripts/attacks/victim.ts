import type { Client } from '../client.ts'

/** How long each small job of an honest caller takes, from its upload to its result, in milliseconds. */
export async function measureVictim(client: Client, media: Buffer, signal: AbortSignal): Promise<readonly number[]> {
  const milliseconds: number[] = []
  do {
    const started = performance.now()
    const media_url = await client.uploadBytes('small.wav', media)
    const { id } = await client.create({ endpoint: 'audio/detect-silence', media_url })
    const { status, error } = await client.ended(id, 300)
    if (status !== 'completed') throw new Error(`the honest job ended as ${error?.code ?? status}`)
    milliseconds.push(performance.now() - started)
  } while (!signal.aborted)
  return milliseconds
}
