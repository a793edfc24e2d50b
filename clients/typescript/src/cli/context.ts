import type { Command } from 'commander'
import type { MediaTimeline } from '../index.ts'
import { connect, urlOf } from './credentials.ts'
import { createOutput, type Output } from './output.ts'

export interface GlobalOptions {
  readonly url?: string
  readonly json?: true
}

/** What every command works with. */
export interface Context {
  readonly output: Output
  readonly url: string
  readonly client: () => Promise<MediaTimeline>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

const interrupted = new AbortController()

/** Ends the work of a command at the first Ctrl-C, and the process at the second. */
export function endAtInterrupt(): void {
  process.once('SIGINT', () => interrupted.abort())
  process.once('SIGTERM', () => interrupted.abort())
}

/** Ends the process when what reads its output has enough, as `head` does. Notes may have no reader. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const outputs = new WeakMap<Command, Output>()

/** What a command says: one of it knows what has begun when an error ends the command. */
export function outputOf(command: Command): Output {
  const { json = false } = command.optsWithGlobals<GlobalOptions>()
  const output = outputs.get(command) ?? createOutput(json, command.options)
  outputs.set(command, output)
  return output
}

export async function contextOf(command: Command): Promise<Context> {
  const { url } = command.optsWithGlobals<GlobalOptions>()
  return { output: outputOf(command), url: await urlOf(url), client: () => connect(url), signal: interrupted.signal }
}
