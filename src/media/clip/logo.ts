import type { LogoCorner } from '../../core/brand.ts'
import type { CaptionLook } from '../../core/captions.ts'
import type { FfmpegPicture } from '../../core/ffmpeg.ts'
import { nearestEven, type Size } from '../../core/picture.ts'
import { askedMargins } from '../captions/caption-layout.ts'

/** Where a logo stands in a picture, and how large it is. */
export interface LogoLook extends Pick<CaptionLook, 'safeArea' | 'margins'> {
  readonly corner: LogoCorner
  /** A part of the picture's width. */
  readonly width: number
}

/** A logo that was decoded. */
export interface ClipLogo extends LogoLook {
  readonly uploadId: string
  readonly pixels: FfmpegPicture
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
  const usual = Math.min(picture.width, picture.height) * usualMargin
  const asked = askedMargins(picture, look)
  const [above, below] = asked ? [asked.top * picture.height, asked.bottom * picture.height] : [usual, usual]
  const [before, behind] = asked ? [asked.left * picture.width, asked.right * picture.width] : [usual, usual]
  const scale = Math.min(
    (width * picture.width) / pixels.width,
    (maxHeight * picture.height) / pixels.height,
    (picture.width - before - behind) / pixels.width,
    (picture.height - above - below) / pixels.height,
  )
  const size = { width: nearestEven(pixels.width * scale), height: nearestEven(pixels.height * scale) }
  const [atTop, atLeft] = [corner.startsWith('top'), corner.endsWith('left')]
  return {
    ...size,
    left: evenWithin(atLeft ? before : picture.width - behind - size.width, picture.width - size.width),
    top: evenWithin(atTop ? above : picture.height - below - size.height, picture.height - size.height),
  }
}

/** Video stores colour for pairs of pixels. */
function evenWithin(place: number, most: number): number {
  return 2 * Math.floor(Math.min(Math.max(0, most), Math.max(0, place)) / 2)
}
