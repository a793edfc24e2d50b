import { ServiceError } from '../../core/errors.ts'
import type { FfprobeRun } from '../../core/ffmpeg.ts'
import { inputFlags, quietFlags } from './input-flags.ts'
import { assertSuccess, type ToolProcess } from './spawn.ts'
import type { ProcessHandle } from './supervise.ts'
import { maxProbedPixels } from './tool-limits.ts'
import { readErrorLines, readLines } from './tool-streams.ts'

/** Longer than every line about the fields that this service asks for. A text in a file can have any length, and a line is in memory whole. */
const maxLineCharacters = 64 * 1024

/** Runs ffprobe once and passes its output on line by line. */
export async function runFfprobe(
  start: (args: readonly string[]) => ToolProcess,
  { input, options, onLine }: FfprobeRun,
  handle: ProcessHandle,
): Promise<void> {
  const tool = start([...quietFlags, ...options, ...inputFlags(input, maxProbedPixels), '-i', input.path])
  handle.attach(tool)
  readErrorLines(tool.stderr, handle.addStderr)
  readLines(tool.stdout, { maxCharacters: maxLineCharacters, onLine, onLongLine: refuseLongLine }, handle)
  await assertSuccess('ffprobe', tool.exit)
}

function refuseLongLine(): never {
  throw new ServiceError(
    'processing_failed',
    'A tag of the media is too long. Remove the tags of the media, or convert it.',
  )
}
