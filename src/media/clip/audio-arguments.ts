import type { MediaFormat } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import type { SourceAudio } from '../inspect/tracks.ts'
import { channelFilter, containers } from './encoders.ts'

export interface SampleRange {
  /** Where decoding starts; like the others, counted on the container's clock. */
  readonly seekSample: number
  readonly startSample: number
  readonly endSample: number
}

/** Cuts a range out of a track by counting samples: gaps in its timestamps become silence. The output starts at 0. */
export function sampleFilters(sampleRate: number, { seekSample, startSample, endSample }: SampleRange): string[] {
  return [
    `aresample=${sampleRate}:async=1:first_pts=${seekSample}`,
    `atrim=start_pts=${startSample}:end_pts=${endSample}`,
    `asetpts=PTS-${startSample}`,
  ]
}

export interface ClipAudio {
  readonly format: MediaFormat
  readonly fadeSeconds: number
  readonly lengthSeconds: number
  /** From the first to the last sample of the clip, on the media's clock. */
  readonly window: Segment
}

/** Fades the clip's ends where they cut into the track, and puts channels into an order that the encoder accepts. */
export function finishingFilters(
  track: SourceAudio,
  { format, fadeSeconds, lengthSeconds, window }: ClipAudio,
): string[] {
  const fade = Math.min(fadeSeconds, lengthSeconds / 2)
  const channels = channelFilter(containers[format].audio, track)
  return [
    ...(fade > 0 && window.start > 0 ? [`afade=t=in:st=0:d=${fade}`] : []),
    ...(fade > 0 && window.end < track.endSeconds ? [`afade=t=out:st=${lengthSeconds - fade}:d=${fade}`] : []),
    ...(channels ? [channels] : []),
  ]
}
