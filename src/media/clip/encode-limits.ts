import { ServiceError } from '../../core/errors.ts'
import type { ClipFormat } from '../../core/media.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import type { SourceVideo } from '../inspect/tracks.ts'
import type { ClipPicture } from './clip-picture.ts'
import type { ClipTracks } from './clip-tracks.ts'
import { containers } from './encoders.ts'

/** Seconds that an encode may take: a slow core encodes 1080p at a few frames per second. */
export function encodingDeadline(seconds: number, video: SourceVideo | null): number {
  return 120 + seconds * (video ? 20 * Math.max(1, pixelsOf(video) / 1e6) : 2)
}

export function pixelsOf(video: Pick<SourceVideo, 'width' | 'height'> | null): number {
  return video ? video.width * video.height : 0
}

/** Of the larger of source and clip: a clip is larger if the source's pixels are not square. */
export function largestPixels(video: SourceVideo | null, picture: ClipPicture | null): number {
  return Math.max(pixelsOf(video), pixelsOf(video && picture))
}

/** Cameras record up to a thousand frames a second at their full speed. A clip is billed by its length, and encoded by its frames. */
const maxFrameRate = 1000

/** Throws `processing_failed` if the ranges show too many frames for their length. Within a second, any times of frames are accepted. */
export function assertFrameRate(frames: number, ranges: readonly Segment[]): void {
  const seconds = ranges.reduce((sum, range) => sum + durationOf(range), 0)
  if (frames <= maxFrameRate * Math.max(1, seconds)) return
  throw new ServiceError(
    'processing_failed',
    `The picture has more than ${maxFrameRate} frames a second. Convert the media to fewer.`,
  )
}

/** A clip that grows beyond this is stopped: it is far above the size of any content at these qualities. */
export function maxOutputBytes(seconds: number, { video, audio }: ClipTracks, format?: ClipFormat): number {
  const { width, height, frameRate } = video ?? { width: 0, height: 0, frameRate: 0 }
  const videoBytes = (width * height * Math.max(frameRate, 30)) / 2
  const audioBytes = audio.reduce(
    (sum, { sampleRate, channels }) => sum + Math.max(sampleRate, 48_000) * channels * 4,
    0,
  )
  const bytes = Math.ceil(16 * 2 ** 20 + seconds * (videoBytes + audioBytes))
  return Math.min(bytes, (format && containers[format].maxBytes) ?? bytes)
}
