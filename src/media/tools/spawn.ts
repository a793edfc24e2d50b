import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Tools see nothing of this process's environment: no secrets, no proxy variables, no report files. */
export const toolEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LC_ALL: 'C' }

/** Starts a tool that reads no standard input. */
export function spawnTool(tool: string, args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(tool, args, { env: toolEnvironment, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
}

/** Settles when the process has exited and closed its streams. Rejects if it cannot be started or does not exit with 0. */
export async function exitOf(child: ChildProcess): Promise<void> {
  const exit = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? `code ${code}`))
  })
  if (exit !== 'code 0') throw new Error(`${child.spawnfile} ended with ${exit}`)
}

/** Runs a tool to its end and returns its standard output. Rejects as `exitOf`. */
export async function readToolOutput(tool: string, args: readonly string[]): Promise<string> {
  const child = spawnTool(tool, args)
  child.stderr.resume()
  const [output] = await Promise.all([text(child.stdout), exitOf(child)])
  return output
}
