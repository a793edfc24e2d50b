import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../../core/errors.ts'
import { type LineReaderInput, lineReader } from '../../core/line-reader.ts'
import { recordProcess } from './orphans.ts'
import type { TakeOutput, ToolProcess } from './spawn.ts'
import { isFailedAllocation, memoryError, toolFailure } from './tool-failure.ts'
import type { ToolLimits } from './tool-limits.ts'

interface Supervision {
  /** Ends the process; `supervise` then throws the signal's reason. */
  readonly signal: AbortSignal
  readonly deadlineSeconds: number
  /** The milliseconds so far that do not count against the deadline. */
  readonly waitedMs?: () => number
  /** Folder that lists the running processes. */
  readonly processDir: string
  readonly limits: ToolLimits
  /** Files that the process reads. */
  readonly files: readonly string[]
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
 * Runs one process to its exit. Ends it on abort, at the deadline (`timed_out`) and on `fail`. Throws
 * `toolFailure` if it fails by itself. `start` settles after the exit.
 */
export async function supervise(
  { signal, deadlineSeconds, waitedMs = () => 0, processDir, limits, files }: Supervision,
  start: (handle: ProcessHandle) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  let tool: ToolProcess | undefined
  let recorded: Promise<(() => Promise<void>) | undefined> | undefined
  let failure: { readonly error: unknown } | undefined
  const stderr: string[] = []
  let failedAllocation: string | undefined
  let failedBuffer: string | undefined

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
        recorded = recordStarted(started, processDir)
        if (signal.aborted || failure) kill()
      },
      addStderr: (line) => {
        if (isFailedAllocation(line)) failedAllocation = line
        // This also fails for damaged media, with little memory in use.
        if (line.includes('get_buffer() failed')) failedBuffer = line
        stderr.push(line)
        if (stderr.length > maxStderrLines) stderr.shift()
      },
      fail,
    })
  } catch (error) {
    signal.throwIfAborted()
    const cause = error instanceof Error ? error : new Error(String(error))
    if (!failure) throw await toolFailure(cause, { stderr: stderr.join('\n'), files, limits })
  } finally {
    stopTimer()
    signal.removeEventListener('abort', kill)
    const removeRecord = await recorded
    await removeRecord?.().catch(() => {})
  }
  if (failure) throw failure.error
  // A tool can exit with success although its input ended early, or although it dropped data for lack of memory.
  signal.throwIfAborted()
  const { maxRssBytes = 0 } = (await tool?.exit) ?? {}
  const dropped = failedAllocation ?? (maxRssBytes > limits.memoryBytes / 2 ? failedBuffer : undefined)
  if (dropped !== undefined) throw memoryError(new Error(dropped))
}

/** Never rejects: a process without a record, or a record without its process, harms no work. */
async function recordStarted({ pid }: ToolProcess, processDir: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const started = await pid
    return started === undefined ? undefined : await recordProcess(processDir, started)
  } catch {
    return undefined
  }
}

/** Node fires longer timers immediately. */
const maxTimerMs = 2 ** 31 - 1

/** Calls `onLate` when the time less `waitedMs` reaches the deadline. Returns a function that stops the timer. */
function startDeadline(deadlineSeconds: number, waitedMs: () => number, onLate: () => void): () => void {
  const countedMs = () => performance.now() - waitedMs()
  const lateAtMs = countedMs() + deadlineSeconds * 1000
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    const leftMs = lateAtMs - countedMs()
    if (leftMs > 0) timer = setTimeout(check, Math.min(leftMs, maxTimerMs))
    else onLate()
  }
  check()
  return () => clearTimeout(timer)
}

interface OutputQueue {
  readonly take: TakeOutput
  /** Settles when the chunks so far are taken. */
  allTaken(): Promise<void>
}

/**
 * Passes one chunk at a time to `take`, whose first failure ends the process. Chunks are queued because Node resumes a paused
 * stream when the program exits.
 */
export function queueOutput(take: (chunk: Buffer) => void | Promise<void>, handle: ProcessHandle): OutputQueue {
  let last: Promise<void> | undefined
  let hasFailed = false
  const giveUp = (error: unknown) => {
    hasFailed = true
    handle.fail(error)
  }
  const takeNext = (chunk: Buffer) => (hasFailed ? undefined : take(chunk))
  return {
    take(chunk) {
      try {
        const taken = last ? last.then(() => takeNext(chunk)) : takeNext(chunk)
        if (!taken) return undefined
        const settled: Promise<void> = taken.catch(giveUp).then(() => {
          if (last === settled) last = undefined
        })
        last = settled
        return settled
      } catch (error) {
        giveUp(error)
        return undefined
      }
    },
    allTaken: async () => last,
  }
}

/** Writes the stream to a tool's standard input. */
export function feed(stream: Readable, stdin: Writable, handle: ProcessHandle): void {
  pipeline(stream, stdin).catch((error: unknown) => {
    // The program may close its input early or exit: its exit code says whether it succeeded.
    if (!isClosedPipe(error)) handle.fail(error)
  })
}

function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
  )
}

/** The first failure to take a line ends the process, and no further line is read. */
export function readLines(stream: Readable, lines: LineReaderInput, handle: Pick<ProcessHandle, 'fail'>): void {
  const reader = lineReader(lines)
  const orGiveUp = (read: () => void) => {
    try {
      read()
    } catch (error) {
      handle.fail(error)
      stream.destroy()
    }
  }
  stream.on('data', (chunk: Buffer) => orGiveUp(() => reader.push(chunk)))
  stream.once('end', () => orGiveUp(reader.end))
}

/** The tools write messages of at most 1,024 characters (libavutil/log.c), several of which can be in a line. */
const maxErrorCharacters = 4 * 1024

/** Passes on lines of standard error, of long ones the start. */
export function readErrorLines(stream: Readable, onLine: (line: string) => void): void {
  const reader = lineReader({ maxCharacters: maxErrorCharacters, onLine, onLongLine: onLine })
  stream.on('data', reader.push).once('end', reader.end)
}
