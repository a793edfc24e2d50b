import { setTimeout as delay } from 'node:timers/promises'
import { type Launcher, startLauncher } from './launcher.ts'
import { readToolOutput, resourceLimits, type StartTool, spawnTool } from './spawn.ts'

export interface Confinement {
  /**
   * What holds the tools: `landlock=7 seccomp=1` by the launcher, `prlimit` for their limits alone, or `none`. It is `down`
   * while the launcher is started again, and tools then fail with a retryable `server_error`.
   */
  level(): string
  readonly start: StartTool
  close(): Promise<void>
}

interface ConfinementOptions {
  /** Called when the launcher has ended, and when it runs again. */
  readonly onLevel: (level: string) => void
  readonly launch?: () => Promise<Launcher | undefined>
  readonly prlimit?: string
}

/** A launcher that ran for this long is started again without a pause. */
const steadyMs = 60_000
const minPauseMs = 100
const maxPauseMs = 30_000

/** Confines tools as far as this machine can. That is decided once: media that makes the launcher fail gets no tool outside it. */
export async function openConfinement(options: ConfinementOptions): Promise<Confinement> {
  const { onLevel, launch = startLauncher, prlimit = 'prlimit' } = options
  const launcher = await launch()
  if (launcher) return launchAgain(launcher, launch, onLevel)
  return (await canLimit(prlimit))
    ? limitedBy(prlimit)
    : { level: () => 'none', start: spawnTool, close: async () => {} }
}

/** A launcher that ended took its tools along. It is started again, after growing pauses while it does not stay. */
function launchAgain(
  first: Launcher,
  launch: () => Promise<Launcher | undefined>,
  onLevel: (level: string) => void,
): Confinement {
  let launcher = first
  let level = first.level
  const setLevel = (next: string) => {
    if (next !== level) onLevel(next)
    level = next
  }
  const closing = new AbortController()
  const keepRunning = async () => {
    let triedAt = performance.now()
    let pauseMs = 0
    for (;;) {
      await launcher.ended
      if (closing.signal.aborted) return
      setLevel('down')
      pauseMs = performance.now() - triedAt > steadyMs ? 0 : Math.min(maxPauseMs, Math.max(minPauseMs, pauseMs * 2))
      await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      triedAt = performance.now()
      const next = await launch()
      if (!next) continue
      launcher = next
      setLevel(next.level)
      if (closing.signal.aborted) await next.close()
    }
  }
  const running = keepRunning()
  return {
    level: () => level,
    start: (tool) => launcher.start(tool),
    async close() {
      closing.abort()
      await launcher.close()
      await running
    },
  }
}

/** prlimit(1) becomes the tool, so the process is the tool's. */
function limitedBy(prlimit: string): Confinement {
  return {
    level: () => 'prlimit',
    start: ({ program, args, limits, ...tool }) => {
      const options = Object.entries(resourceLimits(limits)).map(([name, value]) => `--${name}=${value}`)
      return spawnTool({ ...tool, program: prlimit, args: [...options, '--', program, ...args] })
    },
    close: async () => {},
  }
}

async function canLimit(prlimit: string): Promise<boolean> {
  return readToolOutput(prlimit, ['--core=0', '--', 'true']).then(
    () => true,
    () => false,
  )
}
