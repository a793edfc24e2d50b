import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { MediaFormat, MediaInfo } from '../../core/media.ts'
import type { MediaSource } from '../source/media-source.ts'
import { assertCompleteBoxes, hasBoxes, isFragmented } from './mp4-boxes.ts'
import { assertOneLink } from './ogg-links.ts'
import { sniffFormat } from './sniff.ts'
import { sourceTracks } from './tracks.ts'

/** Reads format, length and tracks. Throws `unsupported_file_type` for other content, `processing_failed` for damaged media. */
export async function inspectMedia(source: MediaSource, ffmpeg: Ffmpeg, signal: AbortSignal): Promise<MediaInfo> {
  const format = await sniffFormat(source, signal)
  if (hasBoxes(format)) await assertCompleteBoxes(source, signal)
  if (format === 'ogg') await assertOneLink(source, signal)
  const tracks = await sourceTracks(source, format, ffmpeg, signal)
  const { audio, unreadAudioTracks, start, video, durationSeconds } = tracks
  return {
    format: video ? format : soundFormat(format),
    durationSeconds,
    bytes: source.bytes,
    audio: audio.map(({ codec, sampleRate, channels, layout, isDefault, endSeconds, isEmpty }) => ({
      ...{ codec, sampleRate, channels, isDefault, endSeconds },
      ...(layout !== undefined && { layout }),
      ...(isEmpty && { isEmpty }),
    })),
    ...(unreadAudioTracks > 0 ? { unreadAudioTracks } : {}),
    ...start,
    video: video && {
      codec: video.codec,
      width: video.width,
      height: video.height,
      frameRate: video.frameRate,
      hasVariableFrameRate: video.hasVariableFrameRate,
      nominalFrameRate: video.nominalFrameRate,
      ...(video.pixelAspect && { pixelAspect: video.pixelAspect }),
      ...(video.firstField && { firstField: video.firstField }),
    },
  }
}

/** The format of a file that has only sound: most writers of M4A use the brand of MP4, and MKA differs from MKV only by its name. */
function soundFormat(format: MediaFormat): MediaFormat {
  if (format === 'mp4') return 'm4a'
  return format === 'mkv' ? 'mka' : format
}

/**
 * Whether the media can be inspected from a few ranges, because it has a single index. Other media needs all its packets
 * counted, or has an index in each of many fragments.
 */
export async function isStreamable(source: MediaSource, signal: AbortSignal): Promise<boolean> {
  const format = await sniffFormat(source, signal)
  return ['wav', 'aiff'].includes(format) || (hasBoxes(format) && !(await isFragmented(source, signal)))
}
