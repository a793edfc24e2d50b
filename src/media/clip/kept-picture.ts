import type { ClipFormat, FirstField } from '../../core/media.ts'
import { deinterlaceFilters, fieldsFilter, onBlackFilters } from '../inspect/flat-picture.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { ClipCaptions } from './clip-captions.ts'
import type { ClipPicture } from './clip-picture.ts'
import { videoCodecOf } from './pixel-format.ts'

/** What the encoded frames of a clip keep of the source's. */
export interface KeptPicture {
  /** Which field of a frame is shown first. Null if frames have no fields, or if both become one picture. */
  readonly fields: FirstField | null
  /** Parts stay transparent. */
  readonly alpha: boolean
}

export const nothingKept: KeptPicture = { fields: null, alpha: false }

export interface KeptPictureRequest {
  readonly format: ClipFormat
  readonly deinterlace?: boolean
  readonly picture: ClipPicture | null
  readonly captions: ClipCaptions | null
}

/** Of the encoders, x264 keeps fields and libvpx transparency. A picture that is scaled or turned would mix its fields. */
export function keptPicture(
  track: SourceVideo,
  { format, deinterlace = false, picture, captions }: KeptPictureRequest,
): KeptPicture {
  const codec = videoCodecOf(format, track)
  const isOpaque = Boolean(captions?.style) || picture?.fit === 'pad' || picture?.fit === 'blur'
  const isAsStored = !deinterlace && !picture && track.rotation === 0 && !changesShape(track)
  return {
    fields: codec === 'h264' && isAsStored ? (track.firstField ?? null) : null,
    alpha: track.hasAlpha && codec === 'vp9' && !isOpaque,
  }
}

/** Filters that come first: they make the decoded frames equal in what the clip does not keep. */
export function arrivalFilters(track: SourceVideo, kept: KeptPicture): string[] {
  return [
    ...(kept.alpha ? [] : onBlackFilters(track)),
    ...(kept.fields ? keptFieldsFilters(kept.fields) : deinterlaceFilters(track)),
    ...(changesShape(track) ? sameShapeFilters(track) : []),
  ]
}

/** Colours of fields are not mixed where they are stored for fewer pixels than in the source. */
function keptFieldsFilters(first: FirstField): string[] {
  return [fieldsFilter(first), 'scale=interl=1']
}

function changesShape({ shapes = [] }: SourceVideo): boolean {
  return shapes.length > 1
}

/** Fits each frame into the picture of the track, between black bars. `dar` is the shape in which players show the frame. */
function sameShapeFilters({ width, height, pixelAspect }: SourceVideo): string[] {
  const { across, down } = pixelAspect ?? { across: 1, down: 1 }
  const even = (side: string) => `'2*round(min(${side})/2)'`
  const [fullWidth, fullHeight] = [`${height}*dar*${down}/${across}`, `${width}*${across}/${down}/dar`]
  return [
    `scale=${even(`${width},${fullWidth}`)}:${even(`${height},${fullHeight}`)}:eval=frame`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:eval=frame`,
    `setsar=${across}/${down}`,
  ]
}
