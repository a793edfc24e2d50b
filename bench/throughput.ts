import type { Client } from '../scripts/client.ts'

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

/** Silence jobs, each on its own upload, with always `inFlight` of them between POST and end. */
export async function measureThroughput({ client, file, jobs, inFlight }: ThroughputInput): Promise<Throughput> {
  const uploads: string[] = []
  while (uploads.length < jobs) uploads.push(await client.upload(file))
  const work = async () => {
    for (let media_url = uploads.pop(); media_url; media_url = uploads.pop()) {
      const { id } = await client.create({ endpoint: 'audio/detect-silence', media_url })
      const ended = await client.ended(id, 120)
      if (ended.status !== 'completed') throw new Error(`${id}: ${ended.error?.message}`)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, work))
  return { jobsPerSecond: (jobs * 1000) / (performance.now() - start), jobs, inFlight }
}
