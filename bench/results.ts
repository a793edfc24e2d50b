import type { Latency } from './latency.ts'
import type { Throughput } from './throughput.ts'

export interface Results {
  readonly latency: Latency
  readonly throughput: Throughput
  readonly machine: string
}

/** The results as a document. Ratios come first, because they depend less on the machine than times do. */
export function describeResults({ latency, throughput, machine }: Results): string {
  const { jobMs, againMs, bareMs } = latency
  const ratio = (jobMs.p50 / bareMs.p50).toFixed(2)
  const added = Math.round(jobMs.p50 - bareMs.p50)
  return `## A silence job beside bare ffmpeg

Written by \`npm run bench\`. ${machine}.

73 s of speech; the job from POST to the answer of \`?wait\`, bare \`ffmpeg -vn -af silencedetect\` in turns with it. Asked again
with another threshold, a job reads no media.

| | p50 | p95 |
|---|---|---|
| job : bare ffmpeg | ${ratio} : 1 | ${(jobMs.p95 / bareMs.p95).toFixed(2)} : 1 |
| job added to bare ffmpeg | ${added} ms (goal: under 200) | ${Math.round(jobMs.p95 - bareMs.p95)} ms |
| job | ${Math.round(jobMs.p50)} ms | ${Math.round(jobMs.p95)} ms |
| asked again | ${Math.round(againMs.p50)} ms | ${Math.round(againMs.p95)} ms |
| bare ffmpeg | ${Math.round(bareMs.p50)} ms | ${Math.round(bareMs.p95)} ms |

## Jobs a second

${throughput.jobs} silence jobs, each on 1 s of audio of its own, ${throughput.inFlight} in flight, everything on this machine, two tool processes a job:
**${throughput.jobsPerSecond.toFixed(1)} a second** (goal: at least 10).
`
}
