import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type OnReadOpts, type Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { installedFile } from '../../core/disk.ts'
import { type TakeOutput, type ToolExit, type ToolProcess, type ToolStart, toolEnvironment } from './spawn.ts'
import { nicenessOf, resourceLimits } from './tool-limits.ts'

export interface Launcher {
  /** What the kernel enforces: `landlock=7 seccomp=1`. */
  readonly level: string
  readonly pid: number
  /** Starts a tool confined to its reach and limits. */
  start(tool: ToolStart): ToolProcess
  /**
   * Settles when the launcher has ended, by `close` or by itself. Tools that were still running have then ended with the reason
   * `launcher`.
   */
  readonly ended: Promise<void>
  /** Kills every tool that still runs. */
  close(): Promise<void>
}

const script = installedFile('src/media/tools/launcher.pl')

/** Starts the launcher, the process that starts and confines tools. Undefined if it cannot run: without Linux 5.3 or Perl. */
export async function startLauncher(perl = '/usr/bin/perl'): Promise<Launcher | undefined> {
  if (process.platform !== 'linux') return undefined
  const folder = await mkdtemp(path.join(tmpdir(), 'tools-'))
  const tools = new Map<string, LaunchedTool>()
  const child = spawn(perl, [script], { stdio: ['pipe', 'pipe', 'inherit'], env: {} })
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(async () => {
    hasEnded = true
    for (const tool of tools.values()) tool.exited(endedWithLauncher)
    // Nobody else uses what stays: that is no reason to fail those who wait for the end.
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  })
  // Its exit says why.
  child.stdin.on('error', () => {})
  const ready = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const [event, id = '', ...rest] = line.split(' ')
      const tool = tools.get(id)
      if (event === 'ready') resolve([id, ...rest].join(' '))
      else if (event === 'pid') tool?.started(Number(rest[0]))
      else if (event === 'fail') tool?.failed(new Error(`launcher: ${rest.join(' ')}`))
      else if (event === 'exit') tool?.exited(parseExit(rest))
    })
  })
  const level = await Promise.race([ready, ended.then(() => undefined)])
  const close = async () => {
    child.stdin.end()
    await ended
  }
  if (level === undefined || child.pid === undefined) {
    await close()
    return undefined
  }
  let lastId = 0
  return {
    level,
    pid: child.pid,
    ended,
    close,
    start(tool) {
      lastId += 1
      const id = String(lastId)
      const socketPath = path.join(folder, id)
      const launched = createLaunchedTool(tool, socketPath, () => child.stdin.write(killRecord(id)))
      tools.set(id, launched)
      void launched.process.exit.catch(() => {}).finally(() => tools.delete(id))
      child.stdin.write(startRecord(id, socketPath, tool))
      if (hasEnded) launched.exited(endedWithLauncher)
      return launched.process
    },
  }
}

/** A tool as the launcher reports on it. */
interface LaunchedTool {
  readonly process: ToolProcess
  started(pid: number): void
  failed(error: Error): void
  exited(exit: ToolExit): void
}

/** The exit of a tool whose launcher has ended. */
const endedWithLauncher: ToolExit = { code: null, signal: 'SIGKILL', reason: 'launcher' }

/** As much as a pipe holds. */
const outputBufferBytes = 64 * 1024

/** `socketPath`: where the tool accepts its standard streams, once it has started. */
function createLaunchedTool(
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
function startRecord(id: string, socketPath: string, { program, args, takesInput, limits, reach }: ToolStart): Buffer {
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

function killRecord(id: string): Buffer {
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
