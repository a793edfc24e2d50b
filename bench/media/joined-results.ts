import { asSeconds, describeFigures, type Figure } from './figures.ts'
import type { Joined } from './joined.ts'

export interface JoinedResults extends Joined {
  readonly machine: string
  /** The peak resident set of an ffmpeg process. */
  readonly ffmpegMiB: number
}

export function joinedFigures({ ranges, joinedMs, bareMs, driftMs, frameMs, ffmpegMiB }: JoinedResults): Figure[] {
  return [
    { name: `${ranges} ranges : bare encode`, value: joinedMs / bareMs, goal: 1.15, unit: '×' },
    { name: 'drift at the end', value: driftMs, goal: frameMs, unit: 'ms' },
    { name: 'largest resident set of an ffmpeg', value: ffmpegMiB, goal: 400, unit: 'MiB' },
  ]
}

export function describeJoined(part: string, results: JoinedResults): string {
  const { height, machine, ranges, outputSeconds, joinedMs, bareMs } = results
  return `## Joined ranges at ${height}p

Written by \`npm run bench:media -- ${part}\`. ${machine}.

The pauses of a talk taken out: ${ranges} ranges, ${(outputSeconds / 60).toFixed(1)} minutes of output, in ${asSeconds(joinedMs)} s; a bare encode of as much output by the
same ffmpeg with the same settings took ${asSeconds(bareMs)} s.

![Measured against the goals](${part}.svg)

${describeFigures(joinedFigures(results))}
`
}
