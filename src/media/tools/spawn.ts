import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ToolLimits, ToolReach } from './tool-limits.ts'

/** Tools see nothing of this process's environment: no secrets, no proxy variables, no report files. */
export const toolEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LC_ALL: 'C' }

/** Receives the next bytes of standard output, valid until it returns, or until its promise settles: then reading goes on. Never fails. */
export type TakeOutput = (chunk: Buffer) => Promise<void> | undefined

export interface ToolStart {
  readonly program: string
  readonly args: readonly string[]
  /** Opens standard input. */
  readonly takesInput?: boolean
  /** Receives standard output in place of `stdout`. */
  readonly takeOutput?: TakeOutput | undefined
  readonly limits: ToolLimits
  readonly reach: ToolReach
}

/** How a process ended. Usage and reason are known if the launcher started it. */
export interface ToolExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly cpuMs?: number
  readonly maxRssBytes?: number
  /** `memory`: killed past its limit. `launcher`: the launcher ended, and its tools with it. */
  readonly reason?: 'memory' | 'launcher'
}

export interface ToolProcess {
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** Its process id once it has started; undefined if it could not be started. */
  readonly pid: Promise<number | undefined>
  /** Settles when the process has exited and its streams have closed. Rejects if it could not be started. */
  readonly exit: Promise<ToolExit>
  /** Sends SIGKILL: nothing of a tool that was killed is used. */
  kill(): void
}

export type StartTool = (start: ToolStart) => ToolProcess

/** Starts a tool as a child of this process: without confinement, and with no limits but those of its options. */
export function spawnTool(start: Omit<ToolStart, 'limits' | 'reach'>): ToolProcess {
  const { program, args, takesInput = false, takeOutput } = start
  const options = { env: toolEnvironment, windowsHide: true }
  const child = takesInput
    ? spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
    : spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<ToolExit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  // Callers that end early do not wait for it.
  exit.catch(() => {})
  const { stdin, stdout, stderr, pid } = child
  if (takeOutput) {
    stdout.on('data', (chunk: Buffer) => {
      const taken = takeOutput(chunk)
      if (!taken) return
      stdout.pause()
      void taken.then(() => stdout.resume())
    })
  }
  return { stdin, stdout, stderr, pid: Promise.resolve(pid), exit, kill: () => child.kill('SIGKILL') }
}

/** A tool exited with a code other than 0. */
export class ToolExitError extends Error {
  override readonly name = 'ToolExitError'
  readonly exit: ToolExit

  constructor(program: string, exit: ToolExit) {
    super(`${program} ended with ${exit.signal ?? `code ${exit.code}`}${exit.reason ? ` (${exit.reason})` : ''}`)
    this.exit = exit
  }
}

/** Throws ToolExitError unless the program exited with 0. */
export async function assertSuccess(program: string, exit: Promise<ToolExit>): Promise<void> {
  const how = await exit
  if (how.code !== 0) throw new ToolExitError(program, how)
}

/** Runs a tool to its end and returns its standard output. Rejects if it cannot be started or does not exit with 0. */
export async function readToolOutput(program: string, args: readonly string[]): Promise<string> {
  const tool = spawnTool({ program, args })
  tool.stderr.resume()
  const [output] = await Promise.all([text(tool.stdout), assertSuccess(program, tool.exit)])
  return output
}
