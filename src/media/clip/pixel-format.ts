import { ServiceError } from '../../core/errors.ts'
import type { ClipFormat } from '../../core/media.ts'
import { containers } from './encoders.ts'

/** The most bits of a colour that the encoders of the supported ffmpeg build write. */
const encoderBits = { h264: 10, vp9: 8 } as const

/** The pixel format of a clip of this format: 4:2:0, at the depth of the source. */
export function pixelFormatOf(source: string | undefined, format: ClipFormat): string {
  return bitsOf(source) > 8 && containers[format].video === 'h264' ? 'yuv420p10le' : 'yuv420p'
}

/** The name of the format in which the filter `overlay` works: its default has 8 bits. */
export function overlayFormat(pixelFormat: string): string {
  return pixelFormat === 'yuv420p10le' ? 'yuv420p10' : 'yuv420'
}

/** Throws `processing_failed` if the clip's encoder writes fewer bits than the source has, so that none are lost silently. */
export function assertEncodableDepth(source: string | undefined, format: ClipFormat): void {
  const most = encoderBits[containers[format].video ?? 'h264']
  const bits = bitsOf(source)
  if (bits <= most) return
  const advice =
    bits <= encoderBits.h264 ? 'Set settings.format to mp4 or mov, which keep 10' : 'Convert the video to 10 or fewer'
  throw new ServiceError(
    'processing_failed',
    `The picture has ${bits} bits a colour, and an encoded ${format} clip has at most ${most}. ${advice}, or set settings.mode to copy.`,
  )
}

/** Bits of a colour, by ffmpeg's name of the pixel format, such as `yuv420p10le`, `p010le` and `rgb48le`. */
export function bitsOf(pixelFormat = ''): number {
  const [, digits = '8'] = /(\d+)[lb]e$/.exec(pixelFormat) ?? []
  const isPacked = /^(rgb|bgr)[45]\d\d[lb]e$/.test(pixelFormat)
  return isPacked ? 8 : Math.min(16, Number(digits.slice(-2)))
}
