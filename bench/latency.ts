import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Client } from '../scripts/client.ts'
import { percentile } from './percentile.ts'
import { timed } from './timed.ts'

export interface LatencyInput {
  readonly client: Client
  readonly ffmpegPath: string
  readonly file: string
  readonly rounds: number
}

export interface Latency {
  /** From POST to the response of the long poll. */
  readonly jobMs: { readonly p50: number; readonly p95: number }
  /** A job with another threshold on bytes that were already analysed. */
  readonly againMs: { readonly p50: number; readonly p95: number }
  /** `ffmpeg -vn -af silencedetect` on the same file, as a process. */
  readonly bareMs: { readonly p50: number; readonly p95: number }
}

/** Silence jobs and bare ffmpeg on the same file, in turns, so that all run under the same conditions. Each round uploads again. */
export async function measureLatency({ client, ffmpegPath, file, rounds }: LatencyInput): Promise<Latency> {
  const jobMs: number[] = []
  const againMs: number[] = []
  const bareMs: number[] = []
  for (let round = -2; round < rounds; round++) {
    const bare = await timed(() => silencedetect(ffmpegPath, file))
    const media_url = await client.upload(file)
    const runJob = (settings: object) => async () => {
      const { id } = await client.create({ endpoint: 'audio/detect-silence', media_url, settings })
      const ended = await client.ended(id)
      if (ended.status !== 'completed') throw new Error(`${id}: ${ended.error?.message}`)
    }
    const job = await timed(runJob({}))
    const again = await timed(runJob({ threshold: -30 }))
    // The first rounds warm caches up.
    if (round < 0) continue
    bareMs.push(bare)
    jobMs.push(job)
    againMs.push(again)
  }
  return { jobMs: summarize(jobMs), againMs: summarize(againMs), bareMs: summarize(bareMs) }
}

/** What the jobs are compared with. */
export function silencedetectOptions(file: string): string[] {
  return ['-nostdin', '-v', 'error', '-i', file, '-vn', '-af', 'silencedetect=n=-35dB:d=0.5', '-f', 'null', '-']
}

async function silencedetect(ffmpegPath: string, file: string): Promise<void> {
  const child = spawn(ffmpegPath, silencedetectOptions(file), { stdio: 'ignore' })
  const exit: unknown[] = await once(child, 'exit')
  const [code] = exit
  if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)}`)
}

function summarize(values: readonly number[]) {
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95) }
}
