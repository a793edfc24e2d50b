import type { LogoCorner } from '../../core/brand.ts'
import type { CaptionLook, FrameMargins } from '../../core/captions.ts'
import type { FfmpegPicture } from '../../core/ffmpeg.ts'
import { nearestEven, type Size } from '../../core/picture.ts'
import { askedMargins } from '../captions/caption-layout.ts'

/** A logo that was decoded, and where it is to stand. */
export interface ClipLogo extends Pick<CaptionLook, 'safeArea' | 'margins'> {
  readonly uploadId: string
  readonly pixels: FfmpegPicture
  readonly corner: LogoCorner
  /** A part of the picture's width. */
  readonly width: number
}

/** In pixels of the picture, all of them even. */
export interface LogoPlace extends Size {
  readonly left: number
  readonly top: number
}

/** Of the shorter side, where no margins were asked for. */
const usualMargin = 0.04
/** A tall logo would cover the picture otherwise. */
const maxHeight = 0.4

export function placeLogo(picture: Size, { pixels, corner, width, ...look }: ClipLogo): LogoPlace {
  const { top, bottom, left, right } = marginsIn(picture, look)
  const scale = Math.min(
    (width * picture.width) / pixels.width,
    (maxHeight * picture.height) / pixels.height,
    (picture.width - left - right) / pixels.width,
    (picture.height - top - bottom) / pixels.height,
  )
  const size = { width: nearestEven(pixels.width * scale), height: nearestEven(pixels.height * scale) }
  const room = { width: picture.width - size.width, height: picture.height - size.height }
  return {
    ...size,
    left: evenWithin(corner.endsWith('left') ? left : room.width - right, room.width),
    top: evenWithin(corner.startsWith('top') ? top : room.height - bottom, room.height),
  }
}

/** In pixels. */
function marginsIn({ width, height }: Size, look: Pick<ClipLogo, 'safeArea' | 'margins'>): FrameMargins {
  const asked = askedMargins({ width, height }, look)
  const usual = Math.min(width, height) * usualMargin
  if (!asked) return { top: usual, bottom: usual, left: usual, right: usual }
  const { top, bottom, left, right } = asked
  return { top: top * height, bottom: bottom * height, left: left * width, right: right * width }
}

/** Video stores colour for pairs of pixels. */
function evenWithin(place: number, most: number): number {
  return 2 * Math.floor(Math.min(Math.max(0, most), Math.max(0, place)) / 2)
}
