import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type LineReaderInput, lineReader } from '../../core/line-reader.ts'
import type { TakeOutput } from './spawn.ts'
import type { ProcessHandle } from './supervise.ts'

export interface OutputQueue {
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
