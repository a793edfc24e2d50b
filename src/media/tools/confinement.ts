import { type Launcher, startLauncher } from './launcher.ts'
import { type StartTool, spawnTool } from './spawn.ts'

export interface Confinement {
  /** What holds the tools: `landlock=7 seccomp=1`, or `none`. */
  readonly level: string
  readonly start: StartTool
  close(): Promise<void>
}

/**
 * Confines tools where this machine can, else starts them as children of this process. A launcher that ended takes its tools
 * along, which fail with `server_error`, and is started again.
 */
export async function openConfinement(onRestart: (level: string | undefined) => void): Promise<Confinement> {
  const first = await startLauncher()
  if (!first) return { level: 'none', start: spawnTool, close: async () => {} }
  let launcher: Launcher = first
  let closing = false
  const restartAtEnd = async (ending: Launcher): Promise<void> => {
    await ending.ended
    if (closing) return
    const next = await startLauncher()
    onRestart(next?.level)
    if (!next) return
    launcher = next
    await restartAtEnd(next)
  }
  const restarting = restartAtEnd(first)
  return {
    level: first.level,
    start: (tool) => launcher.start(tool),
    async close() {
      closing = true
      await launcher.close()
      await restarting
    },
  }
}
