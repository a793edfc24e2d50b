import { readPeaks } from '../processes.ts'

/** Watches the peak resident sets of worker and ffmpeg among this process's descendants, in MiB. Linux only. */
export function recordPeakMemory() {
  const peaks = new Map<string, number>()
  const look = () => {
    for (const [name, mebibytes] of readPeaks(nameOf)) peaks.set(name, Math.max(peaks.get(name) ?? 0, mebibytes))
  }
  const timer = setInterval(look, 500)
  return {
    /** The peaks since the last call. */
    take: () => {
      look()
      const taken = new Map(peaks)
      peaks.clear()
      return taken
    },
    stop: () => clearInterval(timer),
  }
}

function nameOf(program: string, args: readonly string[]): string | undefined {
  if (args.some((argument) => /activities\/worker/.test(argument))) return 'worker'
  return /(?:^|\/)ffmpeg$/.test(program) ? 'ffmpeg' : undefined
}
