import type { ClipFormat } from '../../core/media.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import { containers, type VideoCodec } from './encoders.ts'
import type { KeptPicture } from './kept-picture.ts'

type Pixels = Pick<SourceVideo, 'pixelFormat'>

/**
 * The codec of an encoded picture. More than 8 bits are H.265, because phones, televisions and Apple's players decode H.264 of 8 bits
 * only. ffmpeg writes no H.265 with the brand of M4V.
 */
export function videoCodecOf(format: ClipFormat, track: Pixels): VideoCodec {
  const codec = containers[format].video ?? 'h264'
  return codec === 'h264' && isDeep(track) && format !== 'm4v' ? 'hevc' : codec
}

/** The pixel format of an encoded picture: 4:2:0, with 10 bits if the source has more than 8. Transparent ones are encoded with 8. */
export function pixelFormatOf(track: Pixels, kept: KeptPicture): 'yuv420p' | 'yuv420p10le' | 'yuva420p' {
  if (kept.alpha) return 'yuva420p'
  return isDeep(track) ? 'yuv420p10le' : 'yuv420p'
}

/** The name of the format in which the filter `overlay` works: its default has 8 bits. */
export function overlayFormat(track: Pixels): string {
  return isDeep(track) ? 'yuv420p10' : 'yuv420'
}

/** Whether colours have more than 8 bits. */
export function isDeep({ pixelFormat }: Pixels): boolean {
  return bitsOf(pixelFormat) > 8
}

/** Bits of a colour, by ffmpeg's name of the pixel format, such as `yuv420p10le`, `p010le` and `rgb48le`. */
export function bitsOf(pixelFormat = ''): number {
  const [, digits = '8'] = /(\d+)[lb]e$/.exec(pixelFormat) ?? []
  const isPacked = /^(rgb|bgr)[45]\d\d[lb]e$/.test(pixelFormat)
  return isPacked ? 8 : Math.min(16, Number(digits.slice(-2)))
}

/** Whether the pixels are stored as red, green and blue, or as indexes of such colours. */
export function isRgb({ pixelFormat = '' }: Pixels): boolean {
  return /rgb|bgr|gbr|^pal8$/.test(pixelFormat)
}
