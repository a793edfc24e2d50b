import { setTimeout as delay } from 'node:timers/promises'
import { type Launcher, startLauncher } from './launcher.ts'
import { readToolOutput, type StartTool, spawnTool } from './spawn.ts'
import { resourceLimits } from './tool-limits.ts'

export interface Confinement {
  /**
   * What confines the tools: the launcher (`landlock=7 seccomp=1`), resource limits alone (`prlimit`) or nothing (`none`). It
   * is `down` while the launcher is started again, and tools then fail with a retryable `server_error`.
   */
  level(): string
  readonly start: StartTool
  close(): Promise<void>
}

interface ConfinementOptions {
  /** Called when the launcher has ended, when it runs again, and with an error when it cannot be started. */
  readonly onLevel: (level: string, error?: unknown) => void
  readonly launch?: () => Promise<Launcher | undefined>
  readonly prlimit?: string
}

/** A launcher that ran for this long is started again without a pause. */
const steadyMs = 60_000
const minPauseMs = 100
const maxPauseMs = 30_000

/**
 * Confines tools as far as this machine can. This is decided once: if media makes the launcher fail later, no tool runs outside
 * the launcher.
 */
export async function openConfinement(options: ConfinementOptions): Promise<Confinement> {
  const { onLevel, launch = startLauncher, prlimit = 'prlimit' } = options
  const launcher = await launch()
  if (launcher) return launchAgain(launcher, launch, onLevel)
  return (await canLimit(prlimit))
    ? limitedBy(prlimit)
    : { level: () => 'none', start: spawnTool, close: async () => {} }
}

/** Starts the launcher again after it ended, which ended its tools too. If it keeps ending, the pauses before the starts grow. */
function launchAgain(
  first: Launcher,
  launch: () => Promise<Launcher | undefined>,
  onLevel: ConfinementOptions['onLevel'],
): Confinement {
  let launcher = first
  let level = first.level
  const setLevel = (next: string) => {
    if (next !== level) onLevel(next)
    level = next
  }
  const closing = new AbortController()
  const pause = (ms: number) => delay(ms, undefined, { signal: closing.signal }).catch(() => {})
  const keepRunning = async () => {
    let triedAt = performance.now()
    let pauseMs = 0
    while (await endsUnasked(launcher, closing.signal)) {
      setLevel('down')
      pauseMs = performance.now() - triedAt > steadyMs ? 0 : Math.min(maxPauseMs, Math.max(minPauseMs, pauseMs * 2))
      await pause(pauseMs)
      triedAt = performance.now()
      // Without memory or disk space it throws, and may work later.
      const next = closing.signal.aborted
        ? undefined
        : await launch().catch((error: unknown) => {
            onLevel(level, error)
            return undefined
          })
      if (next) setLevel(next.level)
      launcher = next ?? launcher
    }
    await launcher.close()
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

/** Waits for the launcher's end. Returns false if that end, or the end of this process, was requested. */
async function endsUnasked(launcher: Launcher, closing: AbortSignal): Promise<boolean> {
  if (!closing.aborted) await launcher.ended
  return !closing.aborted
}

/** prlimit(1) replaces itself with the tool, so the process is the tool's. */
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
