import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import { inspectMedia } from '../../../src/media/inspect/inspect.ts'
import { fileSource } from '../../../src/media/source/media-source.ts'

/** What a file holds. */
export async function inspectFile(path: string, ffmpeg: Ffmpeg, signal: AbortSignal) {
  return inspectMedia(await fileSource(path), ffmpeg, signal)
}
