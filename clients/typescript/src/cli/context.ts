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

/** Ends the process when what reads its output has enough, as `head` does. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

export async function contextOf(command: Command): Promise<Context> {
  const { url, json } = command.optsWithGlobals<GlobalOptions>()
  const output = createOutput(json ?? false, command.options)
  return { output, url: await urlOf(url), client: () => connect(url), signal: interrupted.signal }
}
