import { ServiceError } from '../../core/errors.ts'
import { recordProcess } from './orphans.ts'
import { ToolExitError, type ToolProcess } from './spawn.ts'

export interface Supervision {
  /** Ends the process; `supervise` then throws the signal's reason. */
  readonly signal: AbortSignal
  readonly deadlineSeconds: number
  /** Time so far that does not count against the deadline. */
  readonly waitedMs?: () => number
  /** Folder that lists the running processes. */
  readonly processDir: string
}

/** What the code that starts a process reports about it. */
export interface ProcessHandle {
  readonly attach: (tool: ToolProcess) => void
  readonly addStderr: (line: string) => void
  /** Ends the process because its output could not be consumed; `supervise` then throws this error. */
  readonly fail: (error: unknown) => void
}

const maxStderrLines = 30

/**
 * Runs one process to its exit. Ends it on abort, at the deadline (`timed_out`) and on `fail`. Throws `processing_failed` or
 * `server_error` if it fails by itself. `start` settles after the exit.
 */
export async function supervise(
  { signal, deadlineSeconds, waitedMs = () => 0, processDir }: Supervision,
  start: (handle: ProcessHandle) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  let tool: ToolProcess | undefined
  let recorded: Promise<(() => Promise<void>) | undefined> | undefined
  let failure: { readonly error: unknown } | undefined
  const stderr: string[] = []

  const kill = () => tool?.kill()
  const fail = (error: unknown) => {
    failure ??= { error }
    kill()
  }
  const stopTimer = startDeadline(deadlineSeconds, waitedMs, () => fail(new ServiceError('timed_out')))
  signal.addEventListener('abort', kill, { once: true })
  try {
    await start({
      attach: (started) => {
        tool = started
        recorded = started.pid.then((pid) => (pid === undefined ? undefined : recordProcess(processDir, pid)))
        if (signal.aborted || failure) kill()
      },
      addStderr: (line) => {
        stderr.push(line)
        if (stderr.length > maxStderrLines) stderr.shift()
      },
      fail,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!failure) throw toolFailure(error instanceof Error ? error : new Error(String(error)), stderr.join('\n'))
  } finally {
    stopTimer()
    signal.removeEventListener('abort', kill)
    const removeRecord = await recorded
    await removeRecord?.()
  }
  if (failure) throw failure.error
  // A tool whose input ended early can exit with success.
  signal.throwIfAborted()
}

/** Calls `onLate` when the time less `waitedMs` reaches the deadline. Returns a function that stops the timer. */
function startDeadline(deadlineSeconds: number, waitedMs: () => number, onLate: () => void): () => void {
  const countedMs = () => performance.now() - waitedMs()
  const lateAtMs = countedMs() + deadlineSeconds * 1000
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    const leftMs = lateAtMs - countedMs()
    if (leftMs > 0) timer = setTimeout(check, leftMs)
    else onLate()
  }
  check()
  return () => clearTimeout(timer)
}

/** The error for a tool that failed by itself. Its standard error is for the log only, as the cause. */
function toolFailure(error: Error, stderr: string): ServiceError {
  const cause = new Error(stderr ? `${error.message}\n${stderr}` : error.message, { cause: error })
  const exit = error instanceof ToolExitError ? error.exit : undefined
  if (exit?.reason === 'memory') return new ServiceError('processing_failed', tooMuchMemory, { cause })
  if (exit?.signal === 'SIGXFSZ') return new ServiceError('media_too_large', undefined, { cause })
  // The launcher ended, or could not run the tool.
  if (exit?.reason === 'launcher' || exit?.code === 125) return new ServiceError('server_error', undefined, { cause })
  return new ServiceError(isMachineFailure(error, stderr) ? 'server_error' : 'processing_failed', undefined, { cause })
}

/** Whether this machine is at fault, not the media. */
function isMachineFailure(error: Error, stderr: string): boolean {
  // A system error of the spawn, such as ENOENT.
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) return true
  // Killed by the system, for lack of memory: our own kills are handled before. The media is at fault for a crash.
  if (/SIGKILL|SIGTERM/.test(error.message)) return true
  return machineProblems.test(stderr)
}

const tooMuchMemory =
  'Reading this media takes more memory than a job may use. Convert it, or choose a smaller picture.'

const machineProblems =
  /No space left on device|Cannot allocate memory|No such file or directory|Permission denied|Input\/output error|Unknown encoder|Option not found|Unrecognized option/
