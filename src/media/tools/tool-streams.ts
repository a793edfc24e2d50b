import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ToolProcess } from './spawn.ts'
import type { ProcessHandle } from './supervise.ts'

/**
 * Passes one chunk at a time to `take`, so that a slow reader slows the program down. Returns a function that waits for the
 * last chunk. Chunks are queued here because Node resumes a paused stream when the program exits.
 */
export function readOutput(
  { stdout }: ToolProcess,
  take: (chunk: Buffer) => void | Promise<void>,
  handle: ProcessHandle,
) {
  let last: Promise<void> | undefined
  const giveUp = (error: unknown) => {
    handle.fail(error)
    // A paused stream would never close.
    stdout.destroy()
  }
  stdout.on('data', (chunk: Buffer) => {
    try {
      const taken = last ? last.then(() => take(chunk)) : take(chunk)
      if (!taken) return
      stdout.pause()
      last = taken.then(() => void stdout.resume(), giveUp)
    } catch (error) {
      giveUp(error)
    }
  })
  return async () => last
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
