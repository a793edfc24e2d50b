import type { Client } from '../../scripts/client.ts'
import { percentile } from '../percentile.ts'
import { bareListening, type EngineBench, type EngineRun, listen } from './engine.ts'
import type { FilmServer } from './film-server.ts'
import { inTurns, type Times } from './in-turns.ts'
import { jobsPerSecond, timeJob } from './jobs.ts'
import type { TalkFilm } from './talk-film.ts'

const endpoint = 'audio/detect-silence'

export interface Cold {
  readonly times: Times<'silencedetect' | 'decode' | 'demux' | 'engine' | 'job'>
  readonly truth: EngineRun
}

/** Silences of a file: the engine alone, a whole job from POST to completed on new bytes, and bare ffmpeg. */
export async function measureCold(
  client: Client,
  engine: EngineBench,
  file: string,
  talk: TalkFilm,
  rounds: number,
): Promise<Cold> {
  let truth: EngineRun | undefined
  const times = await inTurns(rounds, {
    ...bareListening(engine.ffmpegPath, file),
    engine: async () => {
      truth = await listen(engine, file, talk)
    },
    job: async () => {
      const media_url = await client.upload(file)
      return (await timeJob(client, { endpoint, media_url })).milliseconds
    },
  })
  if (!truth) throw new Error('no rounds')
  return { times, truth }
}

export interface Streamed {
  readonly jobMs: number
  /** The time that the file's bytes take at the server's rate. */
  readonly transferMs: number
  readonly sentBytes: number
  readonly fileBytes: number
}

/** The same from a server that sends `bytesPerSecond`. */
export async function measureStreamed(
  client: Client,
  server: FilmServer,
  { fileBytes, bytesPerSecond }: { readonly fileBytes: number; readonly bytesPerSecond: number },
): Promise<Streamed> {
  server.takeSentBytes()
  const { milliseconds: jobMs } = await timeJob(client, { endpoint, media_url: server.url('streamed.mp4') })
  return { jobMs, transferMs: (fileBytes / bytesPerSecond) * 1000, sentBytes: server.takeSentBytes(), fileBytes }
}

export interface Warm {
  readonly p50: number
  readonly p95: number
  readonly perSecond: number
  readonly inFlight: number
}

/** Jobs with other thresholds on media that was already analysed: one after the other, then many simultaneously. */
export async function measureWarm(client: Client, file: string): Promise<Warm> {
  const media_url = await client.upload(file)
  const job = (index: number) => ({ endpoint, media_url, settings: { threshold: -20 - (index % 40) } })
  await timeJob(client, job(0))
  const alone: number[] = []
  for (let index = 0; index < 40; index++) alone.push((await timeJob(client, job(index))).milliseconds)
  const inFlight = 50
  const jobs = Array.from({ length: 400 }, (_, index) => job(index))
  const perSecond = await jobsPerSecond(client, jobs, inFlight)
  return { p50: percentile(alone.slice(5), 0.5), p95: percentile(alone.slice(5), 0.95), perSecond, inFlight }
}
