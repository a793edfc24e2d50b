import { toneMapFilters } from './colour.ts'
import { deinterlaceFilters, onBlackFilters } from './flat-picture.ts'
import type { SourceVideo } from './video-track.ts'

/** What a JPEG of a track depends on. */
export type JpegSource = Pick<
  SourceVideo,
  | 'streamIndex'
  | 'codec'
  | 'width'
  | 'height'
  | 'rotation'
  | 'shown'
  | 'colour'
  | 'firstField'
  | 'hasFlaggedFields'
  | 'hasAlpha'
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
