import { asSeconds, describeFigures, type Figure } from './figures.ts'
import type { Joined } from './joined.ts'

export interface JoinedResults {
  readonly machine: string
  readonly joined: readonly Joined[]
  /** The largest resident set of an ffmpeg. */
  readonly ffmpegMiB: number
}

export function joinedFigures({ joined, ffmpegMiB }: JoinedResults): Figure[] {
  const ofJoined = joined.flatMap(({ height, ranges, outputSeconds, joinedMs, bareMs, driftMs, frameMs }) => [
    {
      name: `${ranges} ranges, ${minutes(outputSeconds)} at ${height}p : bare encode`,
      value: joinedMs / bareMs,
      goal: 1.15,
      unit: '×',
    },
    { name: `drift at the end of ${ranges} ranges`, value: driftMs, goal: frameMs, unit: 'ms' },
  ])
  return [...ofJoined, { name: 'largest resident set of an ffmpeg', value: ffmpegMiB, goal: 400, unit: 'MiB' }]
}

export function describeJoined(results: JoinedResults): string {
  return `## Joined ranges

Written by \`npm run bench:media -- joined\`. ${results.machine}.

The pauses of an hour of talk taken out, beside a bare encode of as much output by the same ffmpeg with the same settings; one run each.

![Measured against the goals](joined.svg)

${describeFigures(joinedFigures(results))}

| | joined, seconds | bare encode, seconds |
|---|---|---|
${results.joined.map(describeTimes).join('\n')}
`
}

function describeTimes({ height, ranges, outputSeconds, joinedMs, bareMs }: Joined): string {
  return `| ${ranges} ranges, ${minutes(outputSeconds)} at ${height}p | ${asSeconds(joinedMs)} | ${asSeconds(bareMs)} |`
}

function minutes(seconds: number): string {
  return `${(seconds / 60).toFixed(1)} min`
}
