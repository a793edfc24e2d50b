import type { Client } from '../scripts/client.ts'
import { readCpuSeconds } from './processes.ts'
import type { StatementCounter } from './statement-counter.ts'

export interface InFlightInput {
  readonly client: Client
  readonly statements: StatementCounter
  readonly inFlight: number
  /** A body for each job. */
  readonly requests: readonly Record<string, unknown>[]
}

export interface InFlight {
  readonly jobs: number
  readonly jobsPerSecond: number
  readonly statementsPerJob: number
  /** By service. */
  readonly cpuMsPerJob: ReadonlyMap<string, number>
}

/** Runs jobs with always `inFlight` of them between POST and end. */
export async function measureInFlight({ client, statements, inFlight, requests }: InFlightInput): Promise<InFlight> {
  const left = [...requests]
  const work = async () => {
    for (let request = left.pop(); request; request = left.pop()) {
      const { id } = await client.create(request)
      const ended = await client.ended(id, 300)
      if (ended.status !== 'completed') throw new Error(`${id}: ${ended.error?.message}`)
    }
  }
  const jobs = requests.length
  statements.take()
  const [start, before] = [performance.now(), readCpuSeconds()]
  await Promise.all(Array.from({ length: inFlight }, work))
  const [milliseconds, after] = [performance.now() - start, readCpuSeconds()]
  return {
    jobs,
    jobsPerSecond: (jobs * 1000) / milliseconds,
    statementsPerJob: statements.take().length / jobs,
    cpuMsPerJob: new Map([...after].map(([name, used]) => [name, ((used - (before.get(name) ?? 0)) * 1000) / jobs])),
  }
}
