import { type SpawnOptions, spawn } from 'node:child_process'

/** A program and its arguments. */
export type ToolCommand = readonly [file: string, ...args: string[]]

export type RunOptions = Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> & { readonly timeoutSeconds?: number }

/**
 * Runs a command and returns its output, both streams combined. Throws with the end of the output if it fails or takes
 * longer than `timeoutSeconds` (600). If this process exits, the command ends too.
 */
export async function runToEnd(
  [file, ...args]: ToolCommand,
  { timeoutSeconds = 600, ...options }: RunOptions = {},
): Promise<string> {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  // Kills the whole group: pip and npm can be wrappers that start the real program.
  const endChild = () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL')
  process.once('exit', endChild)
  // `spawn`'s own timeout would outlive a command that could not be started.
  const timer = setTimeout(endChild, timeoutSeconds * 1000)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (...ending) => resolve(ending))
    })
    if (code !== 0) throw new Error(`${file} ended with ${signal ?? `code ${code}`}\n${output.trim().slice(-2000)}`)
    return output
  } finally {
    clearTimeout(timer)
    process.off('exit', endChild)
  }
}

export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // The group has already ended.
  }
}
