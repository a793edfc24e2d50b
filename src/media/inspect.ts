import { stat } from 'node:fs/promises'
import type { Ffmpeg } from '../core/ffmpeg.ts'
import type { MediaFormat, MediaInfo } from '../core/media.ts'
import { sniffFile } from './sniff.ts'
import { readTracks } from './tracks.ts'
import { refuseTruncatedBoxes } from './truncation.ts'

/** What a file holds. Throws `unsupported_file_type` for other content, `processing_failed` for damaged media. */
export async function inspectMedia(path: string, ffmpeg: Ffmpeg, signal: AbortSignal): Promise<MediaInfo> {
  const format = await sniffFile(path)
  if (hasBoxes(format)) await refuseTruncatedBoxes(path)
  const { audio, video, durationSeconds } = await readTracks({ path, format }, ffmpeg, signal)
  const { size: bytes } = await stat(path)
  return {
    // Most writers of M4A name the general brand.
    format: format === 'mp4' && !video ? 'm4a' : format,
    durationSeconds,
    bytes,
    audio: audio.map(({ codec, sampleRate, channels, isDefault }) => ({ codec, sampleRate, channels, isDefault })),
    video: video && {
      codec: video.codec,
      width: video.width,
      height: video.height,
      frameRate: video.frameRate,
      hasVariableFrameRate: video.hasVariableFrameRate,
    },
  }
}

function hasBoxes(format: MediaFormat): boolean {
  return ['mp4', 'mov', 'm4v', 'm4a'].includes(format)
}
