import { createInterface } from 'node:readline'
import type { FfprobeRun } from '../../core/ffmpeg.ts'
import { inputFlags, quietFlags } from './input-flags.ts'
import { exitOf, spawnTool } from './spawn.ts'
import type { ProcessHandle } from './supervise.ts'

/** Runs ffprobe once and passes its output on line by line. */
export async function runFfprobe(
  ffprobePath: string,
  { input, options, onLine }: FfprobeRun,
  handle: ProcessHandle,
): Promise<void> {
  const child = spawnTool(ffprobePath, [...quietFlags, ...options, ...inputFlags(input), '-i', input.path])
  const exit = exitOf(child)
  handle.attach(child)
  createInterface(child.stderr).on('line', handle.addStderr)
  createInterface(child.stdout).on('line', (line) => {
    try {
      onLine(line)
    } catch (error) {
      handle.fail(error)
    }
  })
  await exit
}
