import path from 'node:path'
import { createSupervisor, StoppedError, type Supervisor } from './processes.ts'

export const interruptedExitCode = 130

/** npm forwards the Ctrl-C that the terminal has already sent, so one key press can send two signals. */
const sameSignalMilliseconds = 1_000

/**
 * Runs `use` with a supervisor and stops everything that it started, whether it returns, throws, is interrupted or loses
 * a process. Returns its exit code, or 130 after a signal. A second signal kills everything immediately.
 */
export async function withSupervisor(
  dataDir: string,
  say: (message: string) => void,
  use: (supervisor: Supervisor) => Promise<number>,
): Promise<number> {
  const logDir = path.join(dataDir, 'logs')
  const supervisor = createSupervisor(logDir, { say })
  const interrupted = untilSignal(supervisor, say)
  try {
    return await Promise.race([use(supervisor), interrupted, crash(supervisor, logDir)])
  } catch (error) {
    if (error instanceof StoppedError) return await interrupted
    throw error
  } finally {
    await supervisor.stopAll()
  }
}

async function crash(supervisor: Supervisor, logDir: string): Promise<never> {
  const reason = await supervisor.crashed
  throw new Error(
    `${reason} All other processes are stopped too. The lines above are the end of its log; the whole logs are in ${logDir}. Run the same command to start again.`,
  )
}

function untilSignal(supervisor: Supervisor, say: (message: string) => void): Promise<number> {
  return new Promise((resolve) => {
    let stoppingSince: number | undefined
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.removeAllListeners(signal)
      process.on(signal, () => {
        if (stoppingSince !== undefined) {
          if (performance.now() - stoppingSince < sameSignalMilliseconds) return
          supervisor.killAll()
          process.exit(interruptedExitCode)
        }
        stoppingSince = performance.now()
        say('stopping; press Ctrl-C again to end everything immediately')
        resolve(interruptedExitCode)
        void supervisor.stopAll()
      })
    }
  })
}
