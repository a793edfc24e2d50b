import type { ChildProcess } from 'node:child_process'
import { ServiceError } from '../core/errors.ts'
import { noteProcess } from './orphans.ts'
import { toolFailure } from './tool-failure.ts'

export interface Supervision {
  readonly signal: AbortSignal
  readonly deadlineSeconds: number
  /** Of the time that passes, what does not count against the deadline. */
  readonly waitedMs?: () => number
  readonly processDir: string
}

/** How a started process hands itself over, and where its standard error goes. */
export interface ProcessHandle {
  readonly attach: (child: ChildProcess) => void
  readonly addStderr: (line: string) => void
  /** Ends the process because what takes its output threw; that error becomes the outcome. */
  readonly fail: (error: unknown) => void
}

const maxStderrLines = 30

/**
 * Runs one process to its exit: ends it on abort (throws the signal's reason), at the deadline (`timed_out`) and when its
 * output cannot be taken, notes it while it runs, and tells its own failures apart. `start` settles after the exit.
 */
export async function supervise(
  { signal, deadlineSeconds, waitedMs = () => 0, processDir }: Supervision,
  start: (handle: ProcessHandle) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  let child: ChildProcess | undefined
  let noted: Promise<() => Promise<void>> | undefined
  let gaveUp: { readonly error: unknown } | undefined
  const stderr: string[] = []

  const end = () => child?.kill('SIGKILL')
  const fail = (error: unknown) => {
    gaveUp ??= { error }
    end()
  }
  const countedMs = () => performance.now() - waitedMs()
  const lateAtMs = countedMs() + deadlineSeconds * 1000
  let timer: NodeJS.Timeout | undefined
  const watch = () => {
    const leftMs = lateAtMs - countedMs()
    if (leftMs > 0) timer = setTimeout(watch, leftMs)
    else fail(new ServiceError('timed_out'))
  }
  watch()
  signal.addEventListener('abort', end, { once: true })
  try {
    await start({
      attach: (spawned) => {
        child = spawned
        if (spawned.pid !== undefined) noted = noteProcess(processDir, spawned.pid)
        if (signal.aborted || gaveUp) end()
      },
      addStderr: (line) => {
        stderr.push(line)
        if (stderr.length > maxStderrLines) stderr.shift()
      },
      fail,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!gaveUp) throw toolFailure({ error: error instanceof Error ? error : new Error(String(error)), stderr })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    const unnote = await noted
    await unnote?.()
  }
  if (gaveUp) throw gaveUp.error
  // It may have ended well on half of an input.
  signal.throwIfAborted()
}
