import type { Cold, Streamed, Warm } from './detection.ts'
import type { Joined } from './joined.ts'
import type { RemoteClip } from './remote-clip.ts'

export interface MediaResults {
  readonly machine: string
  readonly cold: Cold
  readonly streamed: Streamed
  readonly warm: Warm
  readonly clip: RemoteClip
  readonly joined: readonly Joined[]
  readonly memoryMiB: { readonly worker: number; readonly ffmpeg: number }
}

/** A measured number beside the one that it should not pass, or reach. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly goal: number
  readonly unit: string
  /** Higher is better; lower is, where it is left out. */
  readonly isFloor?: true
}

export function figuresOf({ cold, streamed, warm, clip, joined, memoryMiB }: MediaResults): Figure[] {
  const { silencedetect, engine, job } = cold.times
  const joinedFigures = joined.flatMap(({ ranges, outputSeconds, joinedMs, bareMs, driftMs, frameMs }) => [
    {
      name: `${ranges} joined ranges, ${minutes(outputSeconds)} : bare encode`,
      value: joinedMs / bareMs,
      goal: 1.15,
      unit: '×',
    },
    { name: `drift at the end of ${ranges} ranges`, value: driftMs, goal: frameMs, unit: 'ms' },
  ])
  return [
    { name: 'cold engine : bare silencedetect', value: engine / silencedetect, goal: 0.85, unit: '×' },
    { name: 'cold job : bare silencedetect', value: job / silencedetect, goal: 0.95, unit: '×' },
    { name: 'cold job over HTTP : transfer', value: streamed.jobMs / streamed.transferMs, goal: 1.1, unit: '×' },
    { name: '10 s clip over HTTP : bare re-encode', value: clip.times.job / clip.times.bare, goal: 1.15, unit: '×' },
    ...joinedFigures,
    { name: 'warm job, p50', value: warm.p50, goal: 150, unit: 'ms' },
    { name: `warm jobs, ${warm.inFlight} in flight`, value: warm.perSecond, goal: 25, unit: 'a second', isFloor: true },
    { name: '10 s clip over HTTP, read', value: clip.readBytes / 1e6, goal: 20, unit: 'MB' },
    { name: 'largest resident set of the worker', value: memoryMiB.worker, goal: 400, unit: 'MiB' },
    { name: 'largest resident set of an ffmpeg', value: memoryMiB.ffmpeg, goal: 400, unit: 'MiB' },
  ]
}

export function isReached({ value, goal, isFloor }: Figure): boolean {
  return isFloor ? value >= goal : value <= goal
}

/** The results as a part of a document, ratios first: times are this machine's, ratios hold better. */
export function describeMedia(results: MediaResults): string {
  const { machine, cold, streamed, warm, clip, joined } = results
  const rows = figuresOf(results).map((figure) => {
    const goal = `${figure.isFloor ? '≥' : '≤'} ${show(figure.goal)}`
    return `| ${figure.name} | ${show(figure.value)} ${figure.unit} | ${goal} | ${isReached(figure) ? 'yes' : 'no'} |`
  })
  const { times, truth } = cold
  return `## Media

Written by \`npm run bench:media\`. ${machine}.

An hour of talk, 1080p30 H.264 and AAC, made by the bench; each time is the median of runs in turns with bare ffmpeg of the
same build. Joined ranges are those of the talk's pauses taken out.

![Measured against the goals](media.svg)

| | measured | goal | reached |
|---|---|---|---|
${rows.join('\n')}

| silences of the local file | seconds |
|---|---|
| bare \`silencedetect -vn\` | ${seconds(times.silencedetect)} |
| bare decoding | ${seconds(times.decode)} |
| bare reading | ${seconds(times.demux)} |
| the engine alone | ${seconds(times.engine)} |
| a whole job, from POST to completed | ${seconds(times.job)} |
| the same from a server, whose transfer takes ${seconds(streamed.transferMs)} | ${seconds(streamed.jobMs)} |
| asked again, p50 and p95 | ${seconds(warm.p50)}, ${seconds(warm.p95)} |

Of ${truth.of} pauses ${truth.found} were found, at most ${truth.worstMs.toFixed(1)} ms off. Streamed, the server had sent ${megabytes(streamed.sentBytes)} of
a file of ${megabytes(streamed.fileBytes)}; for the clip (${clip.frames} frames) ${megabytes(clip.sentBytes)}, with what was on its way when the reader had enough.
${joined.map(describeJoined).join('\n')}
`
}

function describeJoined({ ranges, outputSeconds, joinedMs, bareMs, driftMs }: Joined): string {
  return `${ranges} ranges, ${minutes(outputSeconds)} of output: ${seconds(joinedMs)} s, a bare encode ${seconds(bareMs)} s, drift ${driftMs.toFixed(1)} ms.`
}

function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}

function minutes(value: number): string {
  return `${(value / 60).toFixed(1)} min`
}
