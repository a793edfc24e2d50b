import path from 'node:path'
import { clipFormatOf } from '../../src/core/media.ts'
import type { CutMode } from '../../src/media/clip/clip-receipt.ts'
import { type ModeInput, makeClip } from '../../src/media/copying/make-clip.ts'
import { readTracks } from '../../src/media/inspect/tracks.ts'
import { plainClip } from '../setup/plain-clip.ts'
import { inspectFile } from './inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from './measure.ts'

const ffmpeg = testFfmpeg()

/** Cuts a file into one of its own, by default in the format that a job would choose. */
export async function clipFile(
  mode: CutMode,
  file: string,
  asked: Pick<ModeInput, 'ranges'> & Partial<Omit<ModeInput, 'tracks' | 'outputPath' | 'ffmpeg'>>,
) {
  const info = await inspectFile(file, ffmpeg, never)
  const format = asked.format ?? clipFormatOf(info)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  const tracks = await readTracks({ path: file, format: info.format }, ffmpeg, never)
  const clip = await makeClip(mode, { ...plainClip(), ...asked, tracks, format, outputPath, ffmpeg })
  return { ...clip, tracks, outputPath }
}
