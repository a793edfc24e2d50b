import type { Client } from '../scripts/client.ts'
import { runInFlight } from './run-in-flight.ts'

export interface ThroughputInput {
  readonly client: Client
  readonly file: string
  readonly jobs: number
  readonly inFlight: number
}

export interface Throughput {
  readonly jobsPerSecond: number
  readonly jobs: number
  readonly inFlight: number
}

/** Silence jobs, each on its own upload. */
export async function measureThroughput({ client, file, jobs, inFlight }: ThroughputInput): Promise<Throughput> {
  const requests: Record<string, unknown>[] = []
  while (requests.length < jobs)
    requests.push({ endpoint: 'audio/detect-silence', media_url: await client.upload(file) })
  return { jobsPerSecond: await runInFlight({ client, inFlight, requests }), jobs, inFlight }
}
