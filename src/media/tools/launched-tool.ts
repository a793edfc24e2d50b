import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { ToolExit, ToolProcess } from './spawn.ts'

/** A tool as the launcher reports on it. */
export interface LaunchedTool {
  readonly process: ToolProcess
  started(pid: number): void
  failed(error: Error): void
  connected(stream: number, socket: Socket): void
  exited(exit: ToolExit): void
}

/** The exit of a tool whose launcher has ended. */
export const endedWithLauncher: ToolExit = { code: null, signal: 'SIGKILL', reason: 'launcher' }

export function createLaunchedTool(takesInput: boolean, sendKill: () => void): LaunchedTool {
  const streams = [takesInput ? new PassThrough() : null, new PassThrough(), new PassThrough()] as const
  const [stdin, stdout, stderr] = streams
  const pid = deferred<number | undefined>()
  const exit = deferred<ToolExit>()
  let exited: ToolExit | undefined
  let openStreams = takesInput ? 3 : 2
  const settle = () => {
    if (exited && openStreams <= 0) exit.resolve(exited)
  }
  return {
    process: { stdin, stdout, stderr, pid: pid.promise, exit: exit.promise, kill: () => void (exited ?? sendKill()) },
    started: pid.resolve,
    failed(error) {
      pid.resolve(undefined)
      exit.reject(error)
    },
    connected(stream, socket) {
      const ours = streams[stream]
      if (!ours) return void socket.destroy()
      const closed = () => {
        openStreams -= 1
        settle()
      }
      if (stream === 0) {
        ours.pipe(socket)
        // Code that still writes to the tool learns that it has ended.
        socket.once('close', () => ours.destroy()).once('close', closed)
      } else {
        socket.pipe(ours)
        socket.once('close', () => ours.end())
        ours.once('close', () => socket.destroy()).once('close', closed)
      }
    },
    exited(how) {
      exited ??= how
      pid.resolve(undefined)
      // As with a child process, output that nobody reads does not delay the end.
      for (const stream of [stdout, stderr]) if (stream.readableFlowing === null) stream.resume()
      if (how.reason === 'launcher') {
        // The streams of a tool that never started do not arrive.
        openStreams = 0
        for (const stream of streams) stream?.destroy()
      }
      settle()
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
