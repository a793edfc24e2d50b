import { connect, type OnReadOpts, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { TakeOutput, ToolExit, ToolProcess, ToolStart } from './spawn.ts'

/** A tool as the launcher reports on it. */
export interface LaunchedTool {
  readonly process: ToolProcess
  started(pid: number): void
  failed(error: Error): void
  exited(exit: ToolExit): void
}

/** The exit of a tool whose launcher has ended. */
export const endedWithLauncher: ToolExit = { code: null, signal: 'SIGKILL', reason: 'launcher' }

/** As much as a pipe holds. */
const outputBufferBytes = 64 * 1024

/** `socketPath`: where the tool accepts its standard streams, once it has started. */
export function createLaunchedTool(
  { takesInput = false, takeOutput }: Pick<ToolStart, 'takesInput' | 'takeOutput'>,
  socketPath: string,
  sendKill: () => void,
): LaunchedTool {
  const [stdin, stdout, stderr] = [takesInput ? new PassThrough() : null, new PassThrough(), new PassThrough()]
  const pid = deferred<number | undefined>()
  const exit = deferred<ToolExit>()
  let exited: ToolExit | undefined
  let openStreams = takesInput ? 3 : 2
  const settle = () => {
    if (exited && openStreams <= 0) exit.resolve(exited)
  }
  const closed = () => {
    openStreams -= 1
    settle()
  }
  const kill = () => void (exited ?? sendKill())
  const connectStream = (onread?: OnReadOpts) =>
    connect({ path: socketPath, onread }).on('error', (error) => {
      // A tool that has ended refuses its streams, and its exit says why; one that waits for them would wait for ever.
      if ('syscall' in error && error.syscall === 'connect') kill()
    })
  const endWith = (output: PassThrough, socket: Socket) => {
    socket.once('close', () => output.end())
    output.once('close', () => socket.destroy()).once('close', closed)
  }
  return {
    process: { stdin, stdout, stderr, pid: pid.promise, exit: exit.promise, kill },
    started(id) {
      pid.resolve(id)
      // The tool takes its connections for its streams in this order.
      if (stdin) {
        const input = stdin.pipe(connectStream())
        // Code that still writes to the tool learns that it has ended.
        input.once('close', () => stdin.destroy()).once('close', closed)
      }
      const output: Socket = connectStream(takeOutput && intoOneBuffer(takeOutput, () => output.resume()))
      if (!takeOutput) output.pipe(stdout)
      endWith(stdout, output)
      const errors = connectStream()
      errors.pipe(stderr)
      endWith(stderr, errors)
    },
    failed(error) {
      pid.resolve(undefined)
      exit.reject(error)
    },
    exited(how) {
      exited ??= how
      pid.resolve(undefined)
      // As with a child process, output that nobody reads does not delay the end.
      for (const stream of [stdout, stderr]) if (stream.readableFlowing === null) stream.resume()
      if (how.reason === 'launcher') {
        // The streams of a tool that never started do not arrive.
        openStreams = 0
        for (const stream of [stdin, stdout, stderr]) stream?.destroy()
      }
      settle()
    },
  }
}

/**
 * Reads output into one buffer. A buffer of its own for each read would be garbage outside of the heap, for which V8 collects
 * the whole heap each 64 MB: a quarter of a decoder's time.
 */
function intoOneBuffer(take: TakeOutput, resume: () => void): OnReadOpts {
  const buffer = Buffer.alloc(outputBufferBytes)
  return {
    buffer,
    callback: (bytes) => {
      const taken = take(buffer.subarray(0, bytes))
      void taken?.then(resume)
      return taken === undefined
    },
  }
}

/** `Promise.withResolvers`, which Node 20 does not have. A rejection that nobody waits for is ignored. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  promise.catch(() => {})
  return { promise, resolve, reject }
}
