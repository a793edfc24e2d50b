import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { resourceLimits, type ToolExit, type ToolProcess, type ToolStart, toolEnvironment } from './spawn.ts'

export interface Launcher {
  /** What the kernel holds: `landlock=7 seccomp=1`. */
  readonly level: string
  readonly pid: number
  /** Starts a tool confined to its reach and limits. */
  start(tool: ToolStart): ToolProcess
  /** Settles when it has ended, by `close` or by itself; tools that still ran have ended with the reason `launcher`. */
  readonly ended: Promise<void>
  /** Kills every tool that still runs. */
  close(): Promise<void>
}

/** A tool as the launcher reports on it. */
interface LaunchedTool {
  readonly process: ToolProcess
  started(pid: number): void
  failed(error: Error): void
  connected(stream: number, socket: Socket): void
  exited(exit: ToolExit): void
}

/** What a dynamically linked tool reads to start. */
const systemFiles = ['/usr', '/lib', '/lib64', '/etc/ld.so.cache']

const script = fileURLToPath(new URL('launcher.pl', import.meta.url))

/** Starts the process that starts and confines tools; undefined where it cannot run: without Linux 5.3 or Perl. */
export async function startLauncher(perl = '/usr/bin/perl'): Promise<Launcher | undefined> {
  if (process.platform !== 'linux') return undefined
  const folder = await mkdtemp(path.join(tmpdir(), 'tools-'))
  const socketPath = path.join(folder, 'streams')
  const tools = new Map<string, LaunchedTool>()
  const server = await takeStreams(socketPath, (id, stream, socket) => tools.get(id)?.connected(stream, socket))
  const child = spawn(perl, [script], { stdio: ['pipe', 'pipe', 'inherit'], env: {} })
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(async () => {
    hasEnded = true
    for (const tool of tools.values()) tool.exited(endedWithLauncher)
    server.close()
    await rm(folder, { recursive: true, force: true })
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
      const launched = createLaunchedTool(tool.takesInput === true, () => child.stdin.write(record([`kill=${id}`])))
      tools.set(id, launched)
      void launched.process.exit.catch(() => {}).finally(() => tools.delete(id))
      child.stdin.write(record(fieldsOf(id, socketPath, tool)))
      if (hasEnded) launched.exited(endedWithLauncher)
      return launched.process
    },
  }
}

const endedWithLauncher: ToolExit = { code: null, signal: 'SIGKILL', reason: 'launcher' }

function createLaunchedTool(takesInput: boolean, sendKill: () => void): LaunchedTool {
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
        // What still writes to it learns that the tool has ended.
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
      // As a child process does: what nobody reads does not hold up its end.
      for (const stream of [stdout, stderr]) if (stream.readableFlowing === null) stream.resume()
      if (how.reason === 'launcher') {
        // The streams of a tool that it never started do not come.
        openStreams = 0
        for (const stream of streams) stream?.destroy()
      }
      settle()
    },
  }
}

/** Promise.withResolvers, which Node 20 does not have. Nobody needs to wait for it. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  promise.catch(() => {})
  return { promise, resolve, reject }
}

function fieldsOf(id: string, socketPath: string, { program, args, takesInput, limits, reach }: ToolStart): string[] {
  return [
    `id=${id}`,
    `socket=${socketPath}`,
    `stdio=${takesInput ? '012' : '12'}`,
    `memory=${limits.memoryBytes}`,
    ...Object.entries(resourceLimits(limits)).map(([name, value]) => `limit=${name}:${value}`),
    'confine=1',
    ...Object.entries(toolEnvironment).map(([name, value]) => `env=${name}=${value}`),
    ...[...systemFiles, ...reach.read].map((file) => `read=${file}`),
    ...reach.write.map((folder) => `write=${folder}`),
    ...reach.connect.map((port) => `connect=${port}`),
    ...[program, ...args].map((argument) => `arg=${argument}`),
  ]
}

function record(fields: readonly string[]): Buffer {
  const body = Buffer.from(fields.join('\0'))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}

function parseExit([code, signal, cpuMs, maxRssKb, reason]: readonly string[]): ToolExit {
  const wasKilled = signal !== '0'
  return {
    code: wasKilled ? null : Number(code),
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

/** Listens for the tools' standard streams, each of which begins with a line `ID STREAM`. */
async function takeStreams(
  socketPath: string,
  take: (id: string, stream: number, socket: Socket) => void,
): Promise<Server> {
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    let header = ''
    const readHeader = () => {
      // Byte by byte: the rest is the tool's.
      for (let byte = readByte(socket); byte !== null; byte = readByte(socket)) {
        if (byte !== 10) {
          header += String.fromCharCode(byte)
          continue
        }
        socket.off('readable', readHeader)
        const [id = '', stream] = header.split(' ')
        take(id, Number(stream), socket)
        return
      }
    }
    socket.on('readable', readHeader)
    socket.read(0)
  })
  server.listen(socketPath)
  await once(server, 'listening')
  return server
}

function readByte(socket: Socket): number | null {
  const read: unknown = socket.read(1)
  return Buffer.isBuffer(read) ? (read[0] ?? null) : null
}
