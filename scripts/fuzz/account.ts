import { createClient } from '../client.ts'
import type { FuzzWorld } from './run-case.ts'

/** An account that a lane uses for some cases, with media, a job and an output that requests can name. */
export interface FuzzAccount {
  readonly token: string
  readonly film: string
  readonly sound: string
  readonly job: string
  /** The signed URL of a clip. */
  readonly outputUrl: string
}

export async function newFuzzAccount(
  token: string,
  { baseUrl, media }: Pick<FuzzWorld, 'baseUrl' | 'media'>,
): Promise<FuzzAccount> {
  const client = createClient(baseUrl, token)
  const upload = (name: string) => {
    const bytes = media.get(name)
    if (!bytes) throw new RangeError(name)
    return client.uploadBytes(name, bytes)
  }
  const [film, sound] = [await upload('film.mp4'), await upload('sound.wav')]
  const { id: job } = await client.create({ endpoint: 'video/clip-window', media_url: film, start: 0.5, end: 1 })
  const { status, result } = await client.ended(job, 300)
  const outputUrl = /"(http[^"]*\/storage\/[^"]*)"/.exec(JSON.stringify(result ?? {}))?.[1]
  if (status !== 'completed' || outputUrl === undefined) throw new Error(`the account's first clip ended ${status}`)
  return { token, film, sound, job, outputUrl }
}
