import { readCpuSeconds } from './processes.ts'
import { type RunInFlightInput, runInFlight } from './run-in-flight.ts'
import type { StatementCounter } from './statement-counter.ts'

export interface InFlight {
  readonly jobs: number
  readonly jobsPerSecond: number
  readonly statementsPerJob: number
  /** By service. */
  readonly cpuMsPerJob: ReadonlyMap<string, number>
}

/** Runs the jobs, and counts their statements and the processor time of the services. */
export async function measureInFlight({
  statements,
  ...run
}: RunInFlightInput & { readonly statements: StatementCounter }): Promise<InFlight> {
  const jobs = run.requests.length
  statements.take()
  const before = readCpuSeconds()
  const jobsPerSecond = await runInFlight(run)
  const after = readCpuSeconds()
  return {
    jobs,
    jobsPerSecond,
    statementsPerJob: statements.take().length / jobs,
    cpuMsPerJob: new Map([...after].map(([name, used]) => [name, ((used - (before.get(name) ?? 0)) * 1000) / jobs])),
  }
}
