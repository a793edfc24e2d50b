import type { ChildProcess } from 'node:child_process'
import { ServiceError } from '../../core/errors.ts'
import { noteProcess } from './orphans.ts'

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

/** How a tool ended, and the last lines that it wrote to standard error. */
export interface ToolEnd {
  readonly error: Error
  readonly stderr: readonly string[]
}

/** The error that callers see for a tool that failed by itself; what it wrote goes along as the cause. */
function toolFailure({ error, stderr }: ToolEnd): ServiceError {
  const text = stderr.join('\n')
  const cause = new Error(text ? `${error.message}\n${text}` : error.message, { cause: error })
  if (isDiskFailure(error, text)) return new ServiceError('server_error', undefined, { cause })
  return new ServiceError('processing_failed', undefined, { cause })
}

function isDiskFailure(error: Error, stderr: string): boolean {
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) return true
  // Not by us, whose own endings are told apart before: by the system, out of memory. A crash is the media's doing.
  if (/SIGKILL|SIGTERM/.test(error.message)) return true
  return ourProblems.test(stderr)
}

const ourProblems =
  /No space left on device|Cannot allocate memory|No such file or directory|Permission denied|Input\/output error|Unknown encoder|Option not found|Unrecognized option/
