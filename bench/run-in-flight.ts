import type { Client } from '../scripts/client.ts'

export interface RunInFlightInput {
  readonly client: Client
  readonly inFlight: number
  /** A body for each job. */
  readonly requests: readonly Record<string, unknown>[]
}

/** Runs jobs with always `inFlight` of them between POST and end. Returns the jobs a second. Throws if one fails. */
export async function runInFlight({ client, inFlight, requests }: RunInFlightInput): Promise<number> {
  const left = [...requests]
  const work = async () => {
    for (let request = left.pop(); request; request = left.pop()) {
      const { id } = await client.create(request)
      const ended = await client.ended(id, 300)
      if (ended.status !== 'completed') throw new Error(`${id}: ${ended.error?.message}`)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, work))
  return (requests.length * 1000) / (performance.now() - start)
}
