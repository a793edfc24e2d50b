import fluent, { type FfmpegCommand } from 'fluent-ffmpeg'
import { assertSuccess, type ToolProcess } from './spawn.ts'
import { readErrorLines } from './supervise.ts'

// fluent-ffmpeg is archived: 2.1.3 is its last release, so the private methods that are replaced here no longer change.

/** Lines of output, as far as `run` asks for them. */
interface Ring {
  callback(take: (line: string) => void): void
  get(): string
}

type SpawnFfmpeg = (
  args: string[],
  options: object,
  onSpawn: (child: object, stdout: Ring, stderr: Ring) => void,
  onEnd: (error: Error | null, stdout: Ring, stderr: Ring) => void,
) => void

declare module 'fluent-ffmpeg' {
  interface FfmpegCommand {
    _getArguments(): string[]
    _prepare(callback: (error: null, args: string[]) => void): void
    _spawnFfmpeg: SpawnFfmpeg
  }
}

const silentLogger = { debug() {}, info() {}, warn() {}, error() {} }
const noLines: Ring = { callback() {}, get: () => '' }

/**
 * A command that starts its process with `start`. The `run` of fluent-ffmpeg keeps one path of ffmpeg for the whole program,
 * passes the whole environment and sets no limits. The step that lists formats and encoders is left out: it takes two more
 * processes, and fails to parse the output of current builds.
 */
export function createCommand(start: (args: readonly string[]) => ToolProcess): FfmpegCommand {
  const command = fluent({ logger: silentLogger })
  command._prepare = (callback) => callback(null, command._getArguments())
  command._spawnFfmpeg = (args, _options, onSpawn, onEnd) => {
    const tool = start(args)
    const stderr: Ring = { ...noLines, callback: (take) => readErrorLines(tool.stderr, take) }
    onSpawn(tool, noLines, stderr)
    assertSuccess('ffmpeg', tool.exit).then(
      () => onEnd(null, noLines, stderr),
      (error: unknown) => onEnd(error instanceof Error ? error : new Error(String(error)), noLines, stderr),
    )
  }
  return command
}

/** Settles when the process has exited and its streams have closed. */
export function runCommand(command: FfmpegCommand): Promise<void> {
  return new Promise((resolve, reject) => {
    command.on('end', () => resolve())
    command.on('error', reject)
    command.run()
  })
}
