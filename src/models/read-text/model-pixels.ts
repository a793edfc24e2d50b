import type { Picture } from '../../core/picture.ts'
import type { PixelBox } from './find-boxes.ts'

/** Numbers for a model: planes of blue, green and red, −1 to 1. */
export interface ModelPixels {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

const channels = 3
const half = 127.5

/** The picture scaled to this size, each pixel between the nearest four. What `width` has beyond it stays 0. */
export function scaledPixels(
  { width: pictureWidth, rgb }: Picture,
  from: PixelBox,
  size: { readonly width: number; readonly height: number },
  width = size.width,
): ModelPixels {
  const { height } = size
  const values = new Float32Array(channels * width * height)
  const columns = placesOf(from.x, from.width, size.width)
  const rows = placesOf(from.y, from.height, height)
  for (const [y, row] of rows.entries()) {
    const [above, below] = [row.first * pictureWidth, row.second * pictureWidth]
    for (const [x, column] of columns.entries()) {
      for (let channel = 0; channel < channels; channel += 1) {
        const at = (line: number, place: number) => rgb[(line + place) * channels + (channels - 1 - channel)] ?? 0
        const upper = mix(at(above, column.first), at(above, column.second), column.share)
        const lower = mix(at(below, column.first), at(below, column.second), column.share)
        values[(channel * height + y) * width + x] = mix(upper, lower, row.share) / half - 1
      }
    }
  }
  return { width, height, values }
}

/** For each pixel of the scaled picture, the two next to it in the original, and how far it is towards the second. */
function placesOf(start: number, length: number, scaledLength: number) {
  const last = start + length - 1
  return Array.from({ length: scaledLength }, (_, index) => {
    // Pixels are compared at their centres.
    const centre = start + ((index + 0.5) * length) / scaledLength - 0.5
    const first = Math.max(start, Math.min(last, Math.floor(centre)))
    return { first, second: Math.min(last, first + 1), share: Math.max(0, Math.min(1, centre - first)) }
  })
}

function mix(one: number, other: number, share: number): number {
  return one + (other - one) * share
}
