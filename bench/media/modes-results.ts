import { asSeconds, describeFigures, type Figure } from './figures.ts'
import type { Modes } from './modes.ts'

export interface ModesResults extends Modes {
  readonly machine: string
  /** The peak resident sets of this process, which works as a worker, and of an ffmpeg. */
  readonly memoryMiB: { readonly worker: number; readonly ffmpeg: number }
}

export function modesFigures({ window, joined, memoryMiB }: ModesResults): Figure[] {
  const { exact, smart } = window
  const lost = Math.abs(exact.receipt.framesEncoded - smart.receipt.framesEncoded - smart.receipt.framesCopied)
  return [
    { name: '300 s, exact : smart', value: exact.milliseconds / smart.milliseconds, goal: 8, unit: '×', isFloor: true },
    { name: 'frames that smart has more or less than exact', value: lost, goal: 0, unit: '' },
    {
      ...{ name: `${joined.ranges} ranges joined, exact : smart`, unit: '×', goal: 4, isFloor: true },
      value: joined.exact.milliseconds / joined.smart.milliseconds,
      shortfall:
        'ranges are short beside groups of pictures of two seconds, so that the frames at their edges, and the groups that are decoded to check each joint, are much of the film.',
    },
    {
      name: 'drift at the end',
      value: Math.abs(joined.smart.receipt.driftSeconds) * 1000,
      goal: joined.frameMs,
      unit: 'ms',
    },
    {
      ...{ name: '300 s, copy : `ffmpeg -c copy`', value: window.copyMs / window.bareCopyMs, goal: 1.3, unit: '×' },
      shortfall:
        'the copy itself takes a fraction of a second; finding its edges before it, and reading the ends of the finished file after it, take the rest.',
    },
    { name: 'resident set of the process that leads the work', value: memoryMiB.worker, goal: 400, unit: 'MiB' },
    { name: 'largest resident set of an ffmpeg', value: memoryMiB.ffmpeg, goal: 400, unit: 'MiB' },
  ]
}

export function describeModes(results: ModesResults): string {
  const { machine, window, joined } = results
  const { framesCopied, framesEncoded } = joined.smart.receipt
  return `## Modes of clips at 1080p

Written by \`npm run bench:media -- modes\`. ${machine}.

300 s from the middle of the talk took ${asSeconds(window.exact.milliseconds)} s exact, ${asSeconds(window.smart.milliseconds)} s smart (${window.smart.receipt.framesEncoded} frames encoded, ${window.smart.receipt.framesCopied} copied) and
${asSeconds(window.copyMs)} s copied; bare \`ffmpeg -c copy\` took ${asSeconds(window.bareCopyMs)} s. The pauses taken out of the talk leave ${joined.ranges} ranges: they took
${asSeconds(joined.exact.milliseconds)} s exact and ${asSeconds(joined.smart.milliseconds)} s smart, with ${framesEncoded} frames encoded and ${framesCopied} copied. Smart includes its checks against the source.

![Measured against the goals](modes.svg)

${describeFigures(modesFigures(results))}
`
}
