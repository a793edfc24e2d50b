import { type Picture, shrink } from '../../core/picture.ts'
import { lumaOf } from './measure-picture.ts'

/** The width at which lists of videos show thumbnails. */
const smallWidth = 168
const block = 8
/** Between neighbours in a small picture, from which their border is seen. */
const visibleStep = 25
/** The share of such borders that a picture with a clear subject has at most, and with which nothing stands out. */
const [calmBorders, busyBorders] = [0.2, 0.55]
const strongDeviation = 42

/** How well a picture is recognized 168 pixels wide, 0 to 1: large shapes that differ in brightness, and few small ones. */
export function legibilityOf(picture: Picture): number {
  const width = Math.min(smallWidth, picture.width)
  const height = Math.max(1, Math.round((picture.height * width) / picture.width))
  const small = shrink(picture, { width, height })
  const columns = Math.max(1, Math.round(width / block))
  const rows = Math.max(1, Math.round(height / block))
  const shapes = lumaOf(shrink(small, { width: columns, height: rows }))
  const contrast = Math.min(1, deviationOf(shapes) / strongDeviation)
  const busy = (bordersIn(lumaOf(small), width) - calmBorders) / (busyBorders - calmBorders)
  return contrast * (1 - 0.5 * Math.min(1, Math.max(0, busy)))
}

function deviationOf(values: Float32Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

/** The share of pixels that differ visibly from the next one, across or down. */
function bordersIn(luma: Float32Array, width: number): number {
  let borders = 0
  for (let at = 0; at < luma.length - width - 1; at += 1) {
    const value = luma[at] ?? 0
    const step = Math.max(Math.abs((luma[at + 1] ?? 0) - value), Math.abs((luma[at + width] ?? 0) - value))
    if (step > visibleStep) borders += 1
  }
  return borders / luma.length
}
