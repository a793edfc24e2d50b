import type { Ffmpeg } from '../../core/ffmpeg.ts'
import { durationOf, type Segment, totalDuration } from '../../core/segments.ts'
import { frameToleranceSeconds } from '../../core/snap-ranges.ts'
import { readProbe } from './probe-json.ts'
import type { Tracks } from './tracks.ts'
import {
  deinterlaceFilters,
  isQuarterTurn,
  onBlackFilters,
  type SourceVideo,
  shapeOf,
  toneMapFilters,
} from './video-track.ts'

/** A window is looked at in at most this many places … */
const maxPlaces = 5
/** … about this far apart. */
const placeSeconds = 1

interface Sampling {
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

/**
 * The track as some keyframes of the ranges show it. Containers describe the first picture: recordings of calls and of television can change
 * their size and their shape, and a film can have fields that its container does not state. The largest picture gives the size.
 */
export async function sampleVideo(
  { input, originSeconds }: Tracks,
  video: SourceVideo,
  ranges: readonly Segment[],
  { ffmpeg, signal }: Sampling,
): Promise<SourceVideo> {
  const intervals = placesIn(ranges).map((seconds) => `${(seconds + originSeconds).toFixed(6)}%+#1`)
  const { frames } = await readProbe({
    ...{ input, ffmpeg, signal },
    entries: [
      ...['-select_streams', String(video.streamIndex), '-skip_frame', 'nokey', '-threads', '1'],
      ...['-read_intervals', intervals.join(',')],
      ...['-show_entries', 'frame=width,height,sample_aspect_ratio,interlaced_frame,top_field_first'],
    ],
  })
  const pictures = frames.filter(({ width, height }) => width && height)
  const [largest] = pictures.toSorted((a, b) => pixelsOf(b) - pixelsOf(a))
  if (!largest) return video
  const withFields = frames.find(({ interlaced_frame }) => interlaced_frame === 1)
  const shownFirst = withFields?.top_field_first === 1 ? 'upper' : 'lower'
  const firstField = withFields ? shownFirst : video.firstField
  const isTurned = isQuarterTurn(video.rotation)
  const names = pictures.map((picture) => nameOf(shapeOf(picture, isTurned)))
  return {
    ...video,
    ...shapeOf(largest, isTurned),
    ...{ firstField, isInterlaced: firstField !== undefined, hasFlaggedFields: withFields !== undefined },
    shapes: [...new Set(names)],
  }
}

function pixelsOf({
  width = 0,
  height = 0,
}: {
  readonly width?: number | undefined
  readonly height?: number | undefined
}) {
  return width * height
}

function nameOf({ width, height, pixelAspect }: ReturnType<typeof shapeOf>): string {
  return `${width}x${height}${pixelAspect ? ` (pixels ${pixelAspect.across}:${pixelAspect.down})` : ''}`
}

/** From the start of the first range to just before the end of the last. */
function placesIn(ranges: readonly Segment[]): number[] {
  const length = totalDuration(ranges)
  const steps = Math.min(maxPlaces - 1, Math.max(1, Math.floor(length / placeSeconds)))
  return Array.from({ length: steps + 1 }, (_, index) => {
    let left = (length * index) / steps
    const range = ranges.find((each) => {
      if (left <= durationOf(each)) return true
      left -= durationOf(each)
      return false
    })
    const { start, end } = range ?? ranges.at(-1) ?? { start: 0, end: 0 }
    return Math.max(0, Math.min(start + left, end - frameToleranceSeconds))
  })
}

/** What a JPEG of a track depends on. */
export type JpegSource = Pick<
  SourceVideo,
  | 'streamIndex'
  | 'codec'
  | 'width'
  | 'height'
  | 'rotation'
  | 'displayMatrix'
  | 'shown'
  | 'colour'
  | 'firstField'
  | 'hasFlaggedFields'
  | 'alpha'
>

/** Players take high definition for BT.709 where the file does not say, and ffmpeg takes everything for BT.601. */
const highDefinitionLines = 720

/**
 * Filters that make a picture a JPEG (JFIF: BT.601 with the full range of values): SDR, without fields or transparency. `size` are options of
 * `scale`.
 */
export function jpegFilters(video: JpegSource, size: string): string[] {
  const flat = [...onBlackFilters(video), ...deinterlaceFilters(video)]
  const jpeg = 'out_color_matrix=bt601:out_range=full'
  const toneMap = toneMapFilters(video.colour)
  if (toneMap.length > 0) return [...flat, `scale=${size}`, ...toneMap, `scale=${jpeg}`]
  const isUnknown = video.colour.matrix === undefined && video.height >= highDefinitionLines
  return [...flat, `scale=${size}:${jpeg}${isUnknown ? ':in_color_matrix=bt709' : ''}`]
}
