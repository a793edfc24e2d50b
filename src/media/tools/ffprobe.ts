import { createInterface } from 'node:readline'
import { ServiceError } from '../../core/errors.ts'
import type { FfprobeRun } from '../../core/ffmpeg.ts'
import { inputFlags, quietFlags } from './input-flags.ts'
import { assertSuccess, type ToolProcess } from './spawn.ts'
import type { ProcessHandle } from './supervise.ts'
import { maxProbedPixels } from './tool-limits.ts'

/** Longer than every line about the fields that this service asks for. A text in a file can have any length, and a line is in memory whole. */
const maxLineBytes = 64 * 1024
const newline = 0x0a

/** Runs ffprobe once and passes its output on line by line. */
export async function runFfprobe(
  start: (args: readonly string[]) => ToolProcess,
  { input, options, onLine }: FfprobeRun,
  handle: ProcessHandle,
): Promise<void> {
  const tool = start([...quietFlags, ...options, ...inputFlags(input, maxProbedPixels), '-i', input.path])
  handle.attach(tool)
  createInterface(tool.stderr).on('line', handle.addStderr)
  failOnLongLines(tool, handle)
  createInterface(tool.stdout).on('line', (line) => {
    try {
      onLine(line)
    } catch (error) {
      handle.fail(error)
    }
  })
  await assertSuccess('ffprobe', tool.exit)
}

function failOnLongLines({ stdout }: ToolProcess, handle: ProcessHandle): void {
  let lineBytes = 0
  stdout.on('data', (chunk: Buffer) => {
    const lastEnd = chunk.lastIndexOf(newline)
    lineBytes = lastEnd < 0 ? lineBytes + chunk.length : chunk.length - lastEnd - 1
    if (lineBytes <= maxLineBytes) return
    handle.fail(
      new ServiceError(
        'processing_failed',
        'A tag of the media is too long. Remove the tags of the media, or convert it.',
      ),
    )
    stdout.destroy()
  })
}
