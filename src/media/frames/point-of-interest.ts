import type { Picture, PicturePoint, Size } from '../../core/picture.ts'
import type { Face } from '../../models/models.ts'
import { lumaOf, sureFaceScore } from './frame-quality.ts'

/** Where people look first: the middle of the faces, of which larger ones count more. Without faces, the middle of the detail. */
export function pointOfInterest(picture: Picture, faces: readonly Face[]): PicturePoint {
  const sure = faces.filter(({ score }) => score >= sureFaceScore)
  const points = sure.length > 0 ? sure.map(centreOf) : detailIn(picture)
  const total = points.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return { x: 0.5, y: 0.5 }
  const mean = (along: 'x' | 'y') => {
    const sum = points.reduce((added, point) => added + point[along] * point.weight, 0)
    return Math.min(1, Math.max(0, sum / total))
  }
  return { x: mean('x'), y: mean('y') }
}

type WeightedPoint = PicturePoint & { readonly weight: number }

function centreOf({ x, y, width, height }: Face): WeightedPoint {
  return { x: x + width / 2, y: y + height / 2, weight: width * height }
}

const block = 16

/** The blocks of a picture, weighted by the square of their detail, so that a subject counts more than a pattern all over. */
function detailIn(picture: Picture): WeightedPoint[] {
  const { width, height } = picture
  const luma = lumaOf(picture)
  const [columns, rows] = [Math.ceil(width / block), Math.ceil(height / block)]
  const detail = new Float64Array(columns * rows)
  for (let y = 0; y < height - 1; y += 1)
    for (let x = 0; x < width - 1; x += 1) {
      const at = y * width + x
      const value = luma[at] ?? 0
      const cell = Math.floor(y / block) * columns + Math.floor(x / block)
      detail[cell] =
        (detail[cell] ?? 0) + Math.abs((luma[at + 1] ?? 0) - value) + Math.abs((luma[at + width] ?? 0) - value)
    }
  return Array.from(detail, (sum, cell) => ({
    x: (((cell % columns) + 0.5) * block) / width,
    y: ((Math.floor(cell / columns) + 0.5) * block) / height,
    weight: sum ** 2,
  }))
}

export interface Crop extends Size {
  readonly left: number
  readonly top: number
}

/**
 * The largest part of a picture with this shape, as near around the point as it fits. All its numbers are even, as JPEG stores
 * colour for pairs of pixels.
 */
export function cropAround(point: PicturePoint, { width, height }: Size, shape: number): Crop {
  const across = Math.max(2, even(Math.min(width, height * shape)))
  const down = Math.max(2, even(Math.min(height, width / shape)))
  return {
    left: even(Math.min(width - across, Math.max(0, point.x * width - across / 2))),
    top: even(Math.min(height - down, Math.max(0, point.y * height - down / 2))),
    width: across,
    height: down,
  }
}

function even(pixels: number): number {
  return 2 * Math.floor(pixels / 2)
}
