import {
  type ChildProcess,
  type SpawnOptions,
  type SpawnOptionsWithStdioTuple,
  type StdioNull,
  type StdioPipe,
  spawn,
} from 'node:child_process'
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import fluent from 'fluent-ffmpeg'
import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegRun, FfprobeRun } from '../../core/ffmpeg.ts'
import { inputFlags } from './input-flags.ts'
import { type ProcessHandle, type Supervision, supervise } from './supervise.ts'

export interface FfmpegOptions {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  /** Where running processes are noted, so that `endOrphans` finds them after a crash. */
  readonly processDir: string
}

/** Nothing of this process's environment reaches the tools: no secrets, no proxy variables, no report files. */
const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LC_ALL: 'C' }
const spawnOptions: SpawnOptionsWithStdioTuple<StdioNull, StdioPipe, StdioPipe> = {
  env,
  stdio: ['ignore', 'pipe', 'pipe'],
  windowsHide: true,
}
const quiet = ['-hide_banner', '-v', 'error']

export function createFfmpeg({ ffmpegPath, ffprobePath, processDir }: FfmpegOptions): Ffmpeg {
  return {
    async run(job) {
      await supervise(supervisionOf(job, processDir), (handle) => runFfmpeg(ffmpegPath, job, handle))
      if (job.maxBytes === undefined || typeof job.output !== 'string') return
      // At its size limit ffmpeg closes the file and reports success.
      const { size } = await stat(job.output)
      if (size >= job.maxBytes)
        throw new ServiceError('media_too_large', 'The output became too large. Choose a shorter window.')
    },
    probe: (job) => supervise(supervisionOf(job, processDir), (handle) => runFfprobe(ffprobePath, job, handle)),
  }
}

/** Aborts too where a served input fails: the tools take its end for the end of the media. */
function supervisionOf({ input, signal, deadlineSeconds }: FfmpegRun | FfprobeRun, processDir: string): Supervision {
  const served = 'served' in input ? input.served : undefined
  if (!served) return { signal, deadlineSeconds, processDir }
  const either = AbortSignal.any([signal, served.failed])
  return { signal: either, deadlineSeconds, waitedMs: served.waitedMs, processDir }
}

function protocolOf(input: FfmpegRun['input']): 'file' | 'pipe' | 'loopback' {
  if ('stream' in input) return 'pipe'
  return 'served' in input && input.served ? 'loopback' : 'file'
}

/**
 * Throws a line for the operator where one of the tools cannot be run. Gives a name of the build of ffmpeg: what two builds
 * make need not fit together.
 */
export async function checkTools(tools: Readonly<Record<'FFMPEG_PATH' | 'FFPROBE_PATH', string>>): Promise<string> {
  const [ffmpeg] = await Promise.all([
    toolVersion('FFMPEG_PATH', tools.FFMPEG_PATH),
    toolVersion('FFPROBE_PATH', tools.FFPROBE_PATH),
  ])
  return createHash('sha256').update(ffmpeg).digest('hex').slice(0, 8)
}

async function toolVersion(variable: string, tool: string): Promise<string> {
  const child = spawn(tool, ['-version'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
  const [said, runs] = await Promise.all([text(child.stdout), exit])
  if (!runs) throw new Error(`${variable}: ${tool} cannot be run; install ffmpeg 5.1 or newer, or name it here`)
  return said
}

async function runFfmpeg(ffmpegPath: string, job: FfmpegRun, handle: ProcessHandle): Promise<void> {
  const { input, moreInputs = [], output, inputOptions = [], outputOptions, onProgress, maxBytes } = job
  const stream = 'stream' in input ? input.stream : undefined
  const command = fluent({ logger: silentLogger })
    .input('path' in input ? input.path : 'pipe:0')
    // Spread: fluent-ffmpeg splits the options of an array at their spaces.
    .inputOptions('-nostdin', ...quiet, ...inputOptions, ...inputFlags(input.format, protocolOf(input)))
  for (const more of moreInputs) command.input(more.path).inputOptions(...inputFlags(more.format, protocolOf(more)))
  command
    .outputOptions(
      // Its own 'progress' event would start another ffprobe, without our flags.
      '-nostats',
      ...(onProgress ? ['-progress', 'pipe:2'] : []),
      ...outputOptions,
      ...(maxBytes === undefined ? [] : ['-fs', String(maxBytes)]),
    )
    .output(typeof output === 'string' ? output : 'pipe:1')
  let closed = Promise.resolve()
  let allTaken = async (): Promise<void> => {}
  launchWith(command, ffmpegPath, { ...spawnOptions, stdio: [stream ? 'pipe' : 'ignore', 'pipe', 'pipe'] }, (child) => {
    closed = new Promise((resolve) => child.once('close', () => resolve()))
    handle.attach(child)
    if (typeof output === 'function') allTaken = readOutput(child, output, handle)
    if (stream && child.stdin) feed(stream, child.stdin, handle)
  })
  command.on('stderr', (line: string) => {
    const progress = /^(\w+)=\s*(\S+)$/.exec(line)
    if (!progress) handle.addStderr(line)
    else if (progress[1] === 'out_time_us' && Number(progress[2]) > 0) onProgress?.(Number(progress[2]) / 1e6)
  })
  await new Promise<void>((resolve, reject) => {
    command.on('end', () => resolve())
    command.on('error', reject)
    command.run()
  })
  // It reports the exit, after which the rest of standard output may still come.
  await closed
  await allTaken()
}

/**
 * Hands over one chunk at a time, so that a slow reader slows the program down; returns what waits for the last one. Node
 * resumes a paused stream when the program exits, so chunks are kept in line here.
 */
function readOutput(child: ChildProcess, take: (chunk: Buffer) => void | Promise<void>, handle: ProcessHandle) {
  const { stdout } = child
  let line: Promise<void> | undefined
  const giveUp = (error: unknown) => {
    handle.fail(error)
    // A paused stream would never close.
    stdout?.destroy()
  }
  stdout?.on('data', (chunk: Buffer) => {
    try {
      const taken = line ? line.then(() => take(chunk)) : take(chunk)
      if (!taken) return
      stdout.pause()
      line = taken.then(() => void stdout.resume(), giveUp)
    } catch (error) {
      giveUp(error)
    }
  })
  return async () => line
}

function feed(stream: Readable, stdin: Writable, handle: ProcessHandle): void {
  pipeline(stream, stdin).catch((error: unknown) => {
    // The program may close its input when it has enough, or end: its exit tells.
    if (!isClosedPipe(error)) handle.fail(error)
  })
}

function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
  )
}

const silentLogger = { debug() {}, info() {}, warn() {}, error() {} }

type OnEnd = (error: Error | null, ...rings: unknown[]) => void

type SpawnFfmpeg = (
  args: string[],
  options: object,
  onSpawn: (child: ChildProcess, ...rings: unknown[]) => void,
  onEnd: OnEnd,
) => void

declare module 'fluent-ffmpeg' {
  interface FfmpegCommand {
    _getFfmpegPath(callback: (error: null, path: string) => void): void
    _getArguments(): string[]
    _prepare(callback: (error: null, args: string[]) => void): void
    _spawnFfmpeg: SpawnFfmpeg
  }
}

/**
 * fluent-ffmpeg passes no environment and keeps one path for the whole process, so the steps of its `run` where it looks
 * for the program and spawns it are replaced for this command. Its tour of formats and encoders (two more processes, whose
 * output it cannot parse on current builds) is left out.
 */
function launchWith(
  command: fluent.FfmpegCommand,
  ffmpegPath: string,
  spawning: SpawnOptions,
  onSpawn: (child: ChildProcess) => void,
): void {
  const spawnFfmpeg = command._spawnFfmpeg
  command._getFfmpegPath = (callback) => callback(null, ffmpegPath)
  command._prepare = (callback) => callback(null, command._getArguments())
  command._spawnFfmpeg = (args, options, started, ended) =>
    spawnFfmpeg.call(
      command,
      args,
      { ...options, ...spawning, captureStdout: false },
      (child, ...rings) => {
        onSpawn(child)
        started(child, ...rings)
      },
      // Where the program cannot be started there are no rings, which its own handler does not expect.
      (error, ...rings) => (rings.length === 0 ? command.emit('error', error) : ended(error, ...rings)),
    )
}

async function runFfprobe(
  ffprobePath: string,
  { input, options, onLine }: FfprobeRun,
  handle: ProcessHandle,
): Promise<void> {
  const child = spawn(
    ffprobePath,
    [...quiet, ...options, ...inputFlags(input.format, protocolOf(input)), '-i', input.path],
    spawnOptions,
  )
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? `code ${code}`))
  })
  handle.attach(child)
  createInterface(child.stderr).on('line', handle.addStderr)
  createInterface(child.stdout).on('line', (line) => {
    try {
      onLine(line)
    } catch (error) {
      handle.fail(error)
    }
  })
  const how = await ended
  if (how !== 'code 0') throw new Error(`ffprobe ended with ${how}`)
}
