import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signalGroup, type ToolCommand } from './run-to-end.ts'

export interface ProcessOptions {
  /** The name in messages and of the log file. */
  readonly name: string
  readonly command: ToolCommand
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly uid?: number
  readonly gid?: number
  /** The signal that ends the process. SIGKILL for its whole group follows after `stopSeconds`. */
  readonly stopSignal?: NodeJS.Signals
  readonly stopSeconds?: number
  /** What it does while it stops, for people who wait for that. */
  readonly whileStopping?: string
  /** Opens a channel for `process.send`. */
  readonly ipc?: boolean
  /** Shows its output instead of writing it to the log file. */
  readonly show?: boolean
  /** Lets its child processes outlive it, as after a crash. */
  readonly keepGroup?: boolean
  /** How much lower than others' the priority of the process, its threads and its children is (setpriority(2)). Default: 0. */
  readonly niceness?: number
  /** Higher layers stop first. Default: 0. */
  readonly layer?: number
}

export interface RunningProcess {
  readonly name: string
  readonly layer: number
  readonly child: ChildProcess
  readonly logFile: string
  /** Resolves with a description of its end. Never rejects. */
  readonly ended: Promise<string>
  /** The end of its log. */
  tail(lines?: number): string
  stop(): Promise<void>
}

export interface ReadyOptions {
  readonly seconds?: number
  readonly onEnd?: (reason: string) => void
}

/** `start` and `untilReady` throw this while everything is being stopped. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
}

export interface Supervisor {
  /** Starts a process in its own group, so that Ctrl-C in the terminal reaches only this process. */
  start(options: ProcessOptions): RunningProcess
  /**
   * Polls until `isReady`. Throws with the log's tail if the process ends first, or was stopped because `seconds` (180) passed. After that, `onEnd` receives
   * the reason of an unrequested end, which is a crash by default.
   */
  untilReady(running: RunningProcess, isReady: () => boolean | Promise<boolean>, options?: ReadyOptions): Promise<void>
  /** Deletes the folder after this process has ended, in any way. */
  removeAtEnd(folder: string): void
  /** Resolves with a readable reason when a process that was ready ends by itself. */
  readonly crashed: Promise<string>
  reportCrash(reason: string): void
  /** Stops all processes, the highest layer first. Later `start` calls throw. */
  stopAll(): Promise<void>
  /** Sends SIGKILL to every group. */
  killAll(): void
}

export interface SupervisorOptions {
  /** Says which process a start waits for, every `everySeconds` (20), and which one a stop waits for. Default: says nothing. */
  readonly say?: (message: string) => void
  readonly everySeconds?: number
}

/** A stop that takes no longer needs no explanation. */
const quietStopMilliseconds = 1_000

/** Starts and ends processes. If this process is killed, a reaper ends them. */
export function createSupervisor(
  logDir: string,
  { say = () => {}, everySeconds = 20 }: SupervisorOptions = {},
): Supervisor {
  const running = new Set<RunningProcess>()
  const reaper = startReaper()
  let reportCrash: (reason: string) => void = () => {}
  const crashed = new Promise<string>((resolve) => {
    reportCrash = resolve
  })
  let stopping: Promise<void> | undefined
  mkdirSync(logDir, { recursive: true })

  function start(options: ProcessOptions): RunningProcess {
    if (stopping) throw new StoppedError()
    const { name, layer = 0, stopSignal = 'SIGTERM', stopSeconds = 10 } = options
    const logFile = path.join(logDir, `${name}.log`)
    const child = spawnDetached(options, logFile)
    const killGroup = () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL')
    if (child.pid !== undefined) {
      reaper.send({ watch: { pid: child.pid, signal: stopSignal, seconds: stopSeconds, layer } })
    }
    const ended = describeEnd(child).then((how) => {
      running.delete(started)
      // The group can outlive its leader.
      if (!options.keepGroup) killGroup()
      reaper.send({ forget: child.pid })
      return how
    })
    const started: RunningProcess = {
      name,
      layer,
      child,
      logFile,
      ended,
      tail: (lines) => tailOf(logFile, lines),
      stop: async () => {
        if (running.has(started)) child.kill(stopSignal)
        const timer = setTimeout(killGroup, stopSeconds * 1000)
        const doing = options.whileStopping ? `, which ${options.whileStopping}` : ''
        const explain = () => say(`waiting for ${name}${doing}: at most ${stopSeconds} s`)
        const notice = setTimeout(explain, quietStopMilliseconds)
        await ended
        clearTimeout(timer)
        clearTimeout(notice)
      },
    }
    running.add(started)
    return started
  }

  async function untilReady(
    started: RunningProcess,
    isReady: () => boolean | Promise<boolean>,
    { seconds = 180, onEnd = reportCrash }: ReadyOptions = {},
  ) {
    const since = Date.now()
    let told = 0
    let how: string | undefined
    let isUp = false
    void started.ended.then((text) => {
      how = text
      if (isUp && !stopping) onEnd(`${started.tail()}\n\n${started.name} ${text}.`)
    })
    while (!(await isReady())) {
      if (stopping) throw new StoppedError()
      if (how !== undefined) throw new Error(`${started.tail()}\n\n${started.name} ${how} while starting.`)
      const waited = (Date.now() - since) / 1000
      if (waited > seconds) {
        const reason = notReady(started, seconds)
        await started.stop()
        throw new Error(reason)
      }
      if (waited > (told + 1) * everySeconds) {
        told++
        say(
          `still waiting for ${started.name}, which has been starting for ${Math.round(waited)} s: ${started.logFile}`,
        )
      }
      await sleep(25)
    }
    isUp = true
  }

  async function stopInOrder(): Promise<void> {
    for (const started of [...running].sort((a, b) => b.layer - a.layer)) await started.stop()
    await reaper.close()
  }

  return {
    start,
    untilReady,
    crashed,
    reportCrash,
    removeAtEnd: (folder) => reaper.send({ remove: folder }),
    stopAll: () => (stopping ??= stopInOrder()),
    killAll: () => {
      for (const { child } of running) if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
    },
  }
}

function notReady({ name, logFile, tail }: RunningProcess, seconds: number): string {
  return `${tail()}\n\n${name} was not ready in ${seconds} s. The lines above are the end of its log, ${logFile}. If they name no cause, the machine may be too busy: end other work, and run the same command again.`
}

function tailOf(logFile: string, lines = 24): string {
  const all = readFileSync(logFile, 'utf8').trimEnd().split('\n')
  return all
    .slice(-lines)
    .map((line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line))
    .join('\n')
}

function spawnDetached(
  { command, show, ipc, niceness = 0, ...options }: ProcessOptions,
  logFile: string,
): ChildProcess {
  // Before the program begins, because threads that it has begun keep their priority.
  const [file, ...args]: ToolCommand = niceness === 0 ? command : ['nice', '-n', `${niceness}`, ...command]
  keepPreviousLogs(logFile)
  const log = show ? 'inherit' : openSync(logFile, 'w', 0o600)
  try {
    const child = spawn(file, args, {
      detached: true,
      stdio: ipc ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
      ...options,
    })
    if (niceness > 0) lowerSession(child, niceness)
    return child
  } finally {
    if (typeof log === 'number') closeSync(log)
  }
}

/** Logs of earlier starts that are kept: they explain restarts, and why earlier jobs failed. */
const keptLogs = 5

/** Renames `worker.log` to `worker.previous-1.log`, and earlier ones to the next number; the oldest goes. */
function keepPreviousLogs(logFile: string): void {
  const nameOf = (age: number) => (age === 0 ? logFile : logFile.replace(/\.log$/, `.previous-${age}.log`))
  for (let age = keptLogs - 1; age >= 0; age -= 1) if (existsSync(nameOf(age))) renameSync(nameOf(age), nameOf(age + 1))
}

/** Linux can divide the cores among sessions first, each with a priority of its own (sched(7), "The autogroup feature"). */
function lowerSession({ pid }: ChildProcess, niceness: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`)
  } catch {
    // Another system, or the process has ended.
  }
}

function describeEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`))
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`))
  })
}

function startReaper(): { send(message: object): void; close(): Promise<void> } {
  const script = fileURLToPath(new URL('./reaper.mjs', import.meta.url))
  const child = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' })
  const ended = describeEnd(child)
  child.unref()
  child.stdin.on('error', () => {})
  return {
    send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      child.ref()
      child.stdin.end()
      await ended
    },
  }
}
