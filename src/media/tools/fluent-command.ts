import type { ChildProcess } from 'node:child_process'
import fluent, { type FfmpegCommand } from 'fluent-ffmpeg'
import { toolEnvironment } from './spawn.ts'

// fluent-ffmpeg is archived: 2.1.3 is its last release, so the private methods that are replaced here no longer change.

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

export interface CommandOptions {
  readonly ffmpegPath: string
  readonly stdin: 'pipe' | 'ignore'
  readonly onSpawn: (child: ChildProcess) => void
}

const silentLogger = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * A command that runs this ffmpeg. fluent-ffmpeg passes no environment and keeps one path for the whole process, so the
 * steps of its `run` that look for the program and spawn it are replaced. The step that lists formats and encoders is left
 * out: it takes two more processes, and fails to parse the output of current builds.
 */
export function createCommand({ ffmpegPath, stdin, onSpawn }: CommandOptions): FfmpegCommand {
  const command = fluent({ logger: silentLogger })
  const spawnFfmpeg = command._spawnFfmpeg
  const spawning = { env: toolEnvironment, stdio: [stdin, 'pipe', 'pipe'], windowsHide: true, captureStdout: false }
  command._getFfmpegPath = (callback) => callback(null, ffmpegPath)
  command._prepare = (callback) => callback(null, command._getArguments())
  command._spawnFfmpeg = (args, options, started, ended) =>
    spawnFfmpeg.call(
      command,
      args,
      { ...options, ...spawning },
      (child, ...rings) => {
        onSpawn(child)
        started(child, ...rings)
      },
      // If the program cannot be started there are no rings, which its own handler does not expect.
      (error, ...rings) => (rings.length === 0 ? command.emit('error', error) : ended(error, ...rings)),
    )
  return command
}

/** Settles at the exit, after which the rest of standard output may still come. */
export function runCommand(command: FfmpegCommand): Promise<void> {
  return new Promise((resolve, reject) => {
    command.on('end', () => resolve())
    command.on('error', reject)
    command.run()
  })
}
