import path from 'node:path'
import type { z } from 'zod'
import { roundToMillisecond } from '../../core/time-code.ts'
import { cutClip } from '../../media/cut.ts'
import { readTracks } from '../../media/tracks.ts'
import type { RunContext } from '../define-endpoint.ts'
import { resolveWindow } from '../job-window.ts'
import { billedMilliseconds, cutOptions, presentFile, presentReceipt } from '../present-clip.ts'
import type { clipWindowSettings } from './declaration.ts'

type Settings = z.output<typeof clipWindowSettings>

export async function run({ media, settings, ffmpeg, signal, workDir, ...job }: RunContext<Settings>) {
  const window = resolveWindow(job.window, media.info.durationSeconds)
  const options = cutOptions(settings, media.info)
  const outputPath = path.join(workDir, `clip.${options.format}`)
  const clip = await cutClip({
    source: await readTracks({ path: await media.openFile(), format: media.info.format }, ffmpeg, signal),
    window,
    ...options,
    outputPath,
    ffmpeg,
    signal,
    onProgress: job.reportProgress,
  })
  return {
    result: {
      media_seconds: roundToMillisecond(media.info.durationSeconds),
      receipt: presentReceipt(clip.receipt),
    },
    files: [presentFile(clip, outputPath, options.format)],
    billedMilliseconds: billedMilliseconds(clip, window),
  }
}
