import { readPeaks } from '../../bench/processes.ts'

/** The most that one process of each name may use. */
export const mebibyteLimits = { api: 600, worker: 600, ffmpeg: 512, ffprobe: 512 } as const
type Watched = keyof typeof mebibyteLimits

const sampleMilliseconds = 200

export interface MemoryWatch {
  /** The most that one process of each name has used, in MiB. */
  readonly peaks: ReadonlyMap<string, number>
  stop(): void
}

/** Watches the memory of this process's descendants; reports each name once when it passes its limit. */
export function watchMemory(report: (problem: string) => void): MemoryWatch {
  const peaks = new Map<string, number>()
  const sample = () => {
    for (const [name, mebibytes] of readPeaks(nameOf)) {
      const before = peaks.get(name) ?? 0
      peaks.set(name, Math.max(before, mebibytes))
      const limit = Object.entries(mebibyteLimits).find(([watched]) => watched === name)?.[1] ?? Infinity
      if (mebibytes > limit && before <= limit) report(`${name} used ${Math.round(mebibytes)} MiB of ${limit}`)
    }
  }
  const timer = setInterval(sample, sampleMilliseconds)
  return { peaks, stop: () => clearInterval(timer) }
}

function nameOf(program: string, args: readonly string[]): Watched | undefined {
  const tool = /\/(ffprobe|ffmpeg)[^/]*$/.exec(program)?.[1]
  if (tool === 'ffprobe' || tool === 'ffmpeg') return tool
  if (args.some((argument) => /api\/server\.[jt]s$/.test(argument))) return 'api'
  return args.some((argument) => /activities\/worker\.[jt]s$/.test(argument)) ? 'worker' : undefined
}
