import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Client } from '../scripts/client.ts'
import { percentile } from './percentile.ts'

export interface LatencyInput {
  readonly client: Client
  readonly ffmpegPath: string
  readonly file: string
  readonly rounds: number
}

export interface Latency {
  /** From POST to the answer of the long poll. */
  readonly jobMs: { readonly p50: number; readonly p95: number }
  /** `ffmpeg -vn -af silencedetect` on the same file, as a process. */
  readonly bareMs: { readonly p50: number; readonly p95: number }
}

/** A silence job and bare ffmpeg on the same file, in turns, so that both meet the same machine. */
export async function measureLatency({ client, ffmpegPath, file, rounds }: LatencyInput): Promise<Latency> {
  const media_url = await client.upload(file)
  const jobMs: number[] = []
  const bareMs: number[] = []
  for (let round = -2; round < rounds; round++) {
    const bare = await timed(() => silencedetect(ffmpegPath, file))
    const job = await timed(async () => {
      const { id } = await client.create({ endpoint: 'audio/detect-silence', media_url })
      const ended = await client.ended(id)
      if (ended.status !== 'completed') throw new Error(`${id}: ${ended.error?.message}`)
    })
    // The first rounds warm caches up.
    if (round < 0) continue
    bareMs.push(bare)
    jobMs.push(job)
  }
  return { jobMs: summarize(jobMs), bareMs: summarize(bareMs) }
}

async function silencedetect(ffmpegPath: string, file: string): Promise<void> {
  const options = [
    '-nostdin',
    '-v',
    'error',
    '-i',
    file,
    '-vn',
    '-af',
    'silencedetect=n=-35dB:d=0.5',
    '-f',
    'null',
    '-',
  ]
  const child = spawn(ffmpegPath, options, { stdio: 'ignore' })
  const exit: unknown[] = await once(child, 'exit')
  const [code] = exit
  if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)}`)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function summarize(values: readonly number[]) {
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95) }
}
