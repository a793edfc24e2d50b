import type { InFlight } from './in-flight.ts'
import type { QueueLoad } from './queue-load.ts'

export interface LoadResults {
  readonly queue: QueueLoad
  readonly kept: InFlight
  readonly cold: InFlight
  readonly inFlight: number
  /** CPU of bare `ffmpeg -af silencedetect` over the file of the kept analysis. */
  readonly bareCpuMs: number
  readonly machine: string
}

export function describeLoad({ queue, kept, cold, inFlight, bareCpuMs, machine }: LoadResults): string {
  const services = [...new Set([...kept.cpuMsPerJob.keys(), ...cold.cpuMsPerJob.keys()])].toSorted()
  const total = ({ cpuMsPerJob }: InFlight) => [...cpuMsPerJob.values()].reduce((sum, used) => sum + used, 0)
  const ms = (value: number) => `${Math.round(value)} ms`
  const { createMs, pollMs, openJobs } = queue
  return `## Load

Written by \`npm run bench -- load\`. ${machine}. Everything on this machine.

${queue.accounts} accounts queued ${queue.jobs} jobs, each a clip of a minute of sound, for one worker with a task slot on each core, and ${queue.waiters} long polls waited for the last of them. Meanwhile the clients of ${queue.visitors} other accounts sent ${queue.createsPerSecond} creates and ${queue.pollsPerSecond} polls a second for ${queue.seconds} s, each at its time, whether or not earlier ones were answered. ${openJobs[0]} jobs were queued when that began, and ${openJobs[1]} when it ended; ${queue.refused} requests were refused with 503:

| | p50 | p99 | goal, p99 |
|---|---|---|---|
| create | ${ms(createMs.p50)} | ${ms(createMs.p99)} | ≤ 250 ms |
| poll | ${ms(pollMs.p50)} | ${ms(pollMs.p99)} | ≤ 100 ms |

${inFlight} silence jobs in flight, ${kept.jobs} answered from the kept analysis of 73 s of speech, and ${cold.jobs} on a second of new audio each:

| | kept analysis | new audio | goal |
|---|---|---|---|
| jobs a second | ${kept.jobsPerSecond.toFixed(1)} | ${cold.jobsPerSecond.toFixed(1)} | |
| statements a job, with reads that a slow machine repeats | ${kept.statementsPerJob.toFixed(1)} | ${cold.statementsPerJob.toFixed(1)} | ≤ 28, ≤ 40 |
| CPU of all services : bare ffmpeg over the 73 s | ${(total(kept) / bareCpuMs).toFixed(2)} × | ${(total(cold) / bareCpuMs).toFixed(2)} × | ≤ 2 × for a kept analysis |
${services.map((name) => `| CPU a job, ${name} | ${ms(kept.cpuMsPerJob.get(name) ?? 0)} | ${ms(cold.cpuMsPerJob.get(name) ?? 0)} | |`).join('\n')}
`
}
