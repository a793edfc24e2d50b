import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { required } from './required.ts'

/** The real ffmpeg and ffprobe that the set-up found. */
export const mediaTools = {
  ffmpegPath: required('FFMPEG_PATH'),
  ffprobePath: required('FFPROBE_PATH'),
}

/** Makes a file. ffmpeg says only what is wrong. */
export async function runFfmpeg(...args: readonly string[]): Promise<void> {
  await promisify(execFile)(mediaTools.ffmpegPath, ['-nostdin', '-v', 'error', '-y', ...args])
}
