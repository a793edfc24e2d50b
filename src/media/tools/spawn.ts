import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Tools see nothing of this process's environment: no secrets, no proxy variables, no report files. */
export const toolEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LC_ALL: 'C' }

export interface ToolLimits {
  /** The tool is killed when its resident memory exceeds this. */
  readonly memoryBytes: number
  readonly cpuSeconds: number
  /** Size of each file that it writes. */
  readonly fileBytes: number
}

/** What a confined tool can open; everything else on the machine is closed to it. */
export interface ToolReach {
  readonly read: readonly string[]
  /** Folders in which it may make, change and remove plain files. */
  readonly write: readonly string[]
  /** TCP ports. */
  readonly connect: readonly number[]
}

/** A tool opens its input, its outputs and a few libraries. */
const maxOpenFiles = 64
/**
 * The data segment is 5 to 40 % larger than resident memory. Its limit stops a tool that grows between two measurements of
 * resident memory.
 */
const dataPerMemory = 1.5

/** The kernel's limits (setrlimit(2)) by the names that prlimit(1) has for them; each is soft and hard. */
export function resourceLimits({ memoryBytes, cpuSeconds, fileBytes }: ToolLimits): Readonly<Record<string, number>> {
  return {
    data: Math.ceil(memoryBytes * dataPerMemory),
    // At a soft limit below the hard one ffmpeg would end with 0 and half an output.
    cpu: Math.ceil(cpuSeconds),
    fsize: fileBytes,
    nofile: maxOpenFiles,
    core: 0,
  }
}

/** As a tool has that may work for ten minutes on eight cores: a minute of 1080p, or an hour of sound. */
const longCpuSeconds = 4_800

/** How much lower than the service's the priority of a tool is (setpriority(2)). Long work leaves the cores to short work too. */
export function nicenessOf({ cpuSeconds }: ToolLimits): number {
  return cpuSeconds > longCpuSeconds ? 10 : 5
}

export interface ToolStart {
  readonly program: string
  readonly args: readonly string[]
  /** Opens standard input. */
  readonly takesInput?: boolean
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
export function spawnTool({ program, args, takesInput = false }: Omit<ToolStart, 'limits' | 'reach'>): ToolProcess {
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
  return { stdin, stdout, stderr, pid: Promise.resolve(pid), exit, kill: () => child.kill('SIGKILL') }
}

/** A tool exited with a code other than 0. */
export class ToolExitError extends Error {
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
