import { stat } from 'node:fs/promises'
import type { FfmpegRun } from '../../core/ffmpeg.ts'
import type { ClipFormat } from '../../core/media.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { ClipTracks } from './clip-marks.ts'
import type { ClipPicture } from './clip-picture.ts'
import { containers } from './encoders.ts'
import { isDeep } from './picture-filters.ts'

/** Seconds that an encode may take: a slow core encodes 1080p at a few frames per second. */
export function encodingDeadline(
  seconds: number,
  video: SourceVideo | null,
  picture: ClipPicture | null = null,
): number {
  return 120 + seconds * (video ? 20 * Math.max(1, mostPixels(video, picture) / 1e6) : 2)
}

export function pixelsOf(video: Pick<SourceVideo, 'width' | 'height'> | null): number {
  return video ? video.width * video.height : 0
}

/** Of the larger of source and clip. */
function mostPixels(video: SourceVideo | null, picture: ClipPicture | null): number {
  return Math.max(pixelsOf(video), pixelsOf(video && picture))
}

/** Pixels of more than 8 bits or with transparency count twice, as encoding them takes twice the memory. */
export function largestPixels(video: SourceVideo | null, picture: ClipPicture | null): number {
  const pixels = mostPixels(video, picture)
  return video && (isDeep(video) || video.alpha) ? 2 * pixels : pixels
}

/** A clip that grows beyond this is stopped: it is far above the size of any content at these qualities. */
export function maxOutputBytes(
  seconds: number,
  { video, audio, picture = null }: ClipTracks & { readonly picture?: ClipPicture | null },
  format?: ClipFormat,
): number {
  const videoBytes = (mostPixels(video, picture) * Math.max(video?.frameRate ?? 0, 30)) / 2
  const audioBytes = audio.reduce(
    (sum, { sampleRate, channels }) => sum + Math.max(sampleRate, 48_000) * channels * 4,
    0,
  )
  const bytes = Math.ceil(16 * 2 ** 20 + seconds * (videoBytes + audioBytes))
  return Math.min(bytes, (format && containers[format].maxBytes) ?? bytes)
}

/** Of a slow disk. The bytes are read and written, and again to move the index of an MP4 to its start. */
const muxedBytesPerSecond = 4e6

/** Limits for copying the packets of these files into one. Containers differ in what they store beside the packets. */
export async function muxLimits(files: readonly string[]): Promise<Pick<FfmpegRun, 'deadlineSeconds' | 'maxBytes'>> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return { deadlineSeconds: Math.max(600, bytes / muxedBytesPerSecond), maxBytes: 2 * bytes + 16 * 2 ** 20 }
}
