import { createInterface } from 'node:readline'
import type { FfprobeRun } from '../../core/ffmpeg.ts'
import { inputFlags, quietFlags } from './input-flags.ts'
import { assertSuccess, type ToolProcess } from './spawn.ts'
import type { ProcessHandle } from './supervise.ts'
import { maxProbedPixels } from './tool-limits.ts'

/** Runs ffprobe once and passes its output on line by line. */
export async function runFfprobe(
  start: (args: readonly string[]) => ToolProcess,
  { input, options, onLine }: FfprobeRun,
  handle: ProcessHandle,
): Promise<void> {
  const tool = start([...quietFlags, ...options, ...inputFlags(input, maxProbedPixels), '-i', input.path])
  handle.attach(tool)
  createInterface(tool.stderr).on('line', handle.addStderr)
  createInterface(tool.stdout).on('line', (line) => {
    try {
      onLine(line)
    } catch (error) {
      handle.fail(error)
    }
  })
  await assertSuccess('ffprobe', tool.exit)
}
