import type { FirstField } from '../../core/media.ts'
import type { SourceVideo } from './video-track.ts'

// What makes opaque and progressive frames of pictures that have fields or transparency.

type Layered = Pick<
  SourceVideo,
  'codec' | 'width' | 'height' | 'rotation' | 'firstField' | 'hasFlaggedFields' | 'hasAlpha'
>

/** By ffmpeg's names. Its own decoders of these leave transparency out. */
const alphaDecoders: ReadonlyMap<string, string> = new Map([
  ['vp8', 'libvpx'],
  ['vp9', 'libvpx-vp9'],
])

/** Input options with which ffmpeg decodes the transparency of a picture, and does not turn its fields. */
export function layerOptions(video: Pick<Layered, 'codec' | 'rotation' | 'firstField' | 'hasAlpha'> | null): string[] {
  const decoder = video?.hasAlpha ? alphaDecoders.get(video.codec) : undefined
  return [
    ...(decoder === undefined ? [] : ['-c:v', decoder]),
    ...(video?.firstField && video.rotation !== 0 ? ['-display_rotation', '0'] : []),
  ]
}

/** Composes a picture on black, instead of showing the colours under its transparent parts. */
export function onBlackFilters({ hasAlpha }: Layered): string[] {
  return hasAlpha ? ['premultiply=inplace=1'] : []
}

/**
 * Makes one progressive frame of the two fields of each, at the same time, and turns it upright. Frames that are progressive among them are
 * kept.
 */
export function deinterlaceFilters({ width, height, rotation, firstField, hasFlaggedFields }: Layered): string[] {
  if (!firstField) return []
  const marked = hasFlaggedFields ? [] : [fieldsFilter(firstField)]
  // The filter takes no smaller pictures.
  const isSmall = Math.min(width, height) < 4
  return [...marked, ...(isSmall ? [] : ['bwdif=mode=send_frame:deint=interlaced']), ...turnFilters(rotation)]
}

/** `rotation` counts counterclockwise. */
function turnFilters(rotation: number): string[] {
  const quarters = ((Math.round(rotation / 90) % 4) + 4) % 4
  return [[], ['transpose=cclock'], ['hflip', 'vflip'], ['transpose=clock']][quarters] ?? []
}

/** Marks every frame as fields in this order. */
export function fieldsFilter(first: FirstField): string {
  return `setfield=${first === 'upper' ? 'tff' : 'bff'}`
}
