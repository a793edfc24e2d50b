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

/** A part of the picture scaled to this size, each pixel between the nearest four. What `width` has beyond it stays 0. */
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
  const rowBytes = pictureWidth * channels
  for (let y = 0; y < height; y += 1) {
    const above = rgb.subarray((rows.first[y] ?? 0) * rowBytes)
    const below = rgb.subarray((rows.second[y] ?? 0) * rowBytes)
    for (let channel = 0; channel < channels; channel += 1) {
      const byte = channels - 1 - channel
      const start = (channel * height + y) * width
      mixRows(above.subarray(byte), below.subarray(byte), rows.share[y] ?? 0, columns, values.subarray(start))
    }
  }
  return { width, height, values }
}

/** A plain loop: it runs for every number of a picture, and would take as long as the model if it made objects. */
function mixRows(above: Uint8Array, below: Uint8Array, down: number, columns: Places, values: Float32Array): void {
  for (let x = 0; x < columns.share.length; x += 1) {
    const left = (columns.first[x] ?? 0) * channels
    const right = (columns.second[x] ?? 0) * channels
    const across = columns.share[x] ?? 0
    const aboveLeft = above[left] ?? 0
    const belowLeft = below[left] ?? 0
    const upper = aboveLeft + ((above[right] ?? 0) - aboveLeft) * across
    const lower = belowLeft + ((below[right] ?? 0) - belowLeft) * across
    values[x] = (upper + (lower - upper) * down) / half - 1
  }
}

/** For each pixel of a scaled picture, the two next to it in the original, and how far it is towards the second. */
interface Places {
  readonly first: Int32Array
  readonly second: Int32Array
  readonly share: Float32Array
}

function placesOf(start: number, length: number, scaledLength: number): Places {
  const last = start + length - 1
  const places = {
    first: new Int32Array(scaledLength),
    second: new Int32Array(scaledLength),
    share: new Float32Array(scaledLength),
  }
  for (let index = 0; index < scaledLength; index += 1) {
    // Pixels are compared at their centres.
    const centre = start + ((index + 0.5) * length) / scaledLength - 0.5
    const first = Math.max(start, Math.min(last, Math.floor(centre)))
    places.first[index] = first
    places.second[index] = Math.min(last, first + 1)
    places.share[index] = Math.max(0, Math.min(1, centre - first))
  }
  return places
}
