import type { Cold, Streamed, Warm } from './detection.ts'
import { asSeconds, describeFigures, type Figure } from './figures.ts'
import type { RemoteClip } from './remote-clip.ts'

export interface DetectionResults {
  readonly machine: string
  readonly cold: Cold
  readonly streamed: Streamed
  readonly warm: Warm
  readonly clip: RemoteClip
  readonly memoryMiB: { readonly worker: number; readonly ffmpeg: number }
}

export function detectionFigures({ cold, streamed, warm, clip, memoryMiB }: DetectionResults): Figure[] {
  const { silencedetect, engine, job } = cold.times
  return [
    { name: 'cold engine : bare silencedetect', value: engine / silencedetect, goal: 0.85, unit: '×' },
    { name: 'cold job : bare silencedetect', value: job / silencedetect, goal: 0.95, unit: '×' },
    { name: 'cold job over HTTP : transfer', value: streamed.jobMs / streamed.transferMs, goal: 1.1, unit: '×' },
    { name: '10 s clip over HTTP : bare re-encode', value: clip.times.job / clip.times.bare, goal: 1.15, unit: '×' },
    { name: 'warm job, p50', value: warm.p50, goal: 150, unit: 'ms' },
    {
      name: `warm jobs, ${warm.inFlight} in flight`,
      ...{ value: warm.perSecond, goal: 25, unit: 'a second', isFloor: true },
      shortfall:
        'a job takes some 25 SQL statements, and API, worker, Temporal, both databases and the client share the cores of one machine.',
    },
    { name: '10 s clip over HTTP, read', value: clip.readBytes / 1e6, goal: 20, unit: 'MB' },
    { name: 'largest resident set of the worker', value: memoryMiB.worker, goal: 400, unit: 'MiB' },
    { name: 'largest resident set of an ffmpeg', value: memoryMiB.ffmpeg, goal: 400, unit: 'MiB' },
  ]
}

/** The results as a part of a document. Ratios come first, because they depend less on the machine than times do. */
export function describeDetection(results: DetectionResults): string {
  const { machine, cold, streamed, warm, clip } = results
  const { times, truth } = cold
  return `## Detection and clips on an hour of film

Written by \`npm run bench:media -- detection\`. ${machine}.

A talk, 1080p30 H.264 and AAC, made by the bench; each time is the median of runs in turns with bare ffmpeg of the same build.

![Measured against the goals](detection.svg)

${describeFigures(detectionFigures(results))}

| silences of the local file | seconds |
|---|---|
| bare \`silencedetect -vn\` | ${asSeconds(times.silencedetect)} |
| bare decoding | ${asSeconds(times.decode)} |
| bare reading | ${asSeconds(times.demux)} |
| the engine alone | ${asSeconds(times.engine)} |
| a whole job, from POST to completed | ${asSeconds(times.job)} |
| the same from a server, whose transfer takes ${asSeconds(streamed.transferMs)} | ${asSeconds(streamed.jobMs)} |
| asked again, p50 and p95 | ${asSeconds(warm.p50)}, ${asSeconds(warm.p95)} |

Of ${truth.of} pauses ${truth.found} were found, at most ${truth.worstMs.toFixed(1)} ms off. Streamed, the server had sent ${megabytes(streamed.sentBytes)} of
a file of ${megabytes(streamed.fileBytes)}; for the clip (${clip.frames} frames) ${megabytes(clip.sentBytes)}, with what was on its way when the reader had enough.
`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
