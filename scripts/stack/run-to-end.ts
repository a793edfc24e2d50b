import { type SpawnOptions, spawn } from 'node:child_process'

export type Command = readonly [file: string, ...args: string[]]

export type RunOptions = Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> & { readonly timeoutSeconds?: number }

/**
 * Runs a command and gives what it printed, both streams together. Throws with the output's end when it fails or takes
 * longer than `timeoutSeconds` (600). Ends with this process: it shares the group, so a Ctrl-C reaches both.
 */
export async function runToEnd(
  [file, ...args]: Command,
  { timeoutSeconds = 600, ...options }: RunOptions = {},
): Promise<string> {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const endChild = () => child.kill('SIGKILL')
  process.once('exit', endChild)
  // The timeout of `spawn` outlives a command that could not be started.
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
