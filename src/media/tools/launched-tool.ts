import { connect, type OnReadOpts, type Socket } from 'node:net'
import { constants } from 'node:os'
import { PassThrough } from 'node:stream'
import { type TakeOutput, type ToolExit, type ToolProcess, type ToolStart, toolEnvironment } from './spawn.ts'
import { nicenessOf, resourceLimits } from './tool-limits.ts'

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

// The records that this process and launcher.pl exchange; the head of launcher.pl describes them.

/** What a dynamically linked tool reads to start. */
const systemFiles = ['/usr', '/lib', '/lib64', '/etc/ld.so.cache']

/** The record that makes the launcher start a tool, which accepts its standard streams at the socket. */
export function startRecord(
  id: string,
  socketPath: string,
  { program, args, takesInput, limits, reach }: ToolStart,
): Buffer {
  return record([
    `id=${id}`,
    `socket=${socketPath}`,
    `stdio=${takesInput ? '012' : '12'}`,
    `memory=${limits.memoryBytes}`,
    `nice=${nicenessOf(limits)}`,
    ...(limits.cores === undefined ? [] : ['one_core=1']),
    ...Object.entries(resourceLimits(limits)).map(([name, value]) => `limit=${name}:${value}`),
    'confine=1',
    ...Object.entries(toolEnvironment).map(([name, value]) => `env=${name}=${value}`),
    ...[...systemFiles, ...reach.read].map((file) => `read=${file}`),
    ...reach.write.map((folder) => `write=${folder}`),
    ...reach.connect.map((port) => `connect=${port}`),
    ...[program, ...args].map((argument) => `arg=${argument}`),
  ])
}

export function killRecord(id: string): Buffer {
  return record([`kill=${id}`])
}

function record(fields: readonly string[]): Buffer {
  if (fields.some((field) => field.includes('\0'))) throw new TypeError('a field of a tool contains NUL')
  const body = Buffer.from(fields.join('\0'))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}

/** The fields of the launcher's line about the end of a tool. */
export function parseExit([code, signal, cpuMs, maxRssKb, reason]: readonly string[]): ToolExit {
  const wasKilled = signal !== '0'
  return {
    code: wasKilled ? null : Number.parseInt(code ?? '', 10),
    signal: wasKilled ? signalName(Number(signal)) : null,
    cpuMs: Number(cpuMs),
    maxRssBytes: Number(maxRssKb) * 1024,
    ...(reason === 'memory' ? { reason } : {}),
  }
}

function signalName(number: number): NodeJS.Signals {
  const isSignal = (name: string): name is NodeJS.Signals => name in constants.signals
  const found = Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
  return found !== undefined && isSignal(found) ? found : 'SIGKILL'
}
