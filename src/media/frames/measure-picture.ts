import type { Picture } from '../../core/picture.ts'

/** What the pixels of a picture say about it. Luma is 0 to 255. */
export interface PictureMeasures {
  /** Mean and standard deviation of luma. */
  readonly luma: number
  readonly deviation: number
  /** The part of the deviation that remains in blocks of 4 × 4 pixels, 0 to 1: small for noise. */
  readonly structure: number
  /** Variance of the Laplacian of the smoothed luma: high where edges are sharp. */
  readonly detail: number
  /** The shares of pixels that are nearly black and nearly white. */
  readonly dark: number
  readonly bright: number
  /** After Hasler and Süsstrunk 2003: 0 for grey, 15 slightly, 45 quite, above 80 extremely colourful. */
  readonly colourfulness: number
}

const darkLuma = 20
const brightLuma = 244
const block = 4

export function measurePicture(picture: Picture): PictureMeasures {
  const { width, height } = picture
  const luma = lumaOf(picture)
  const [mean, deviation] = momentsOf(luma)
  let dark = 0
  let bright = 0
  for (let pixel = 0; pixel < luma.length; pixel += 1) {
    const value = luma[pixel] ?? 0
    if (value < darkLuma) dark += 1
    if (value > brightLuma) bright += 1
  }
  const [, deviationOfBlocks] = momentsOf(blockMeans(luma, width, height))
  return {
    luma: mean,
    deviation,
    structure: deviation > 0 ? Math.min(1, deviationOfBlocks / deviation) : 0,
    detail: laplacianVariance(smooth(luma, width, height), width, height),
    dark: dark / luma.length,
    bright: bright / luma.length,
    colourfulness: colourfulnessOf(picture),
  }
}

/** Luma as in BT.601, 0 to 255. */
export function lumaOf({ rgb }: Picture): Float32Array {
  const luma = new Float32Array(rgb.length / 3)
  for (let pixel = 0; pixel < luma.length; pixel += 1) {
    const at = pixel * 3
    luma[pixel] = 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0)
  }
  return luma
}

/** Mean and standard deviation. */
function momentsOf(values: Float32Array): [number, number] {
  let sum = 0
  let squares = 0
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0
    sum += value
    squares += value * value
  }
  const mean = sum / values.length
  return [mean, Math.sqrt(Math.max(0, squares / values.length - mean * mean))]
}

function blockMeans(luma: Float32Array, width: number, height: number): Float32Array {
  const [columns, rows] = [Math.max(1, Math.floor(width / block)), Math.max(1, Math.floor(height / block))]
  const means = new Float32Array(columns * rows)
  for (let y = 0; y < Math.min(height, rows * block); y += 1)
    for (let x = 0; x < Math.min(width, columns * block); x += 1) {
      const at = Math.floor(y / block) * columns + Math.floor(x / block)
      means[at] = (means[at] ?? 0) + (luma[y * width + x] ?? 0) / block ** 2
    }
  return means
}

/** Weights 1 2 1 across and down, which take most of the noise of single pixels away. The edges stay as they are. */
function smooth(luma: Float32Array, width: number, height: number): Float32Array {
  const across = luma.slice()
  for (let at = 1; at < luma.length - 1; at += 1)
    across[at] = ((luma[at - 1] ?? 0) + 2 * (luma[at] ?? 0) + (luma[at + 1] ?? 0)) / 4
  const both = across.slice()
  for (let at = width; at < width * (height - 1); at += 1)
    both[at] = ((across[at - width] ?? 0) + 2 * (across[at] ?? 0) + (across[at + width] ?? 0)) / 4
  return both
}

function laplacianVariance(luma: Float32Array, width: number, height: number): number {
  let sum = 0
  let squares = 0
  let count = 0
  for (let y = 2; y < height - 2; y += 1)
    for (let at = y * width + 2; at < (y + 1) * width - 2; at += 1) {
      const around = (luma[at - 1] ?? 0) + (luma[at + 1] ?? 0) + (luma[at - width] ?? 0) + (luma[at + width] ?? 0)
      const value = 4 * (luma[at] ?? 0) - around
      sum += value
      squares += value * value
      count += 1
    }
  return count > 0 ? squares / count - (sum / count) ** 2 : 0
}

function colourfulnessOf({ rgb }: Picture): number {
  const [redGreen, yellowBlue] = [new Float32Array(rgb.length / 3), new Float32Array(rgb.length / 3)]
  for (let pixel = 0; pixel < redGreen.length; pixel += 1) {
    const red = rgb[pixel * 3] ?? 0
    const green = rgb[pixel * 3 + 1] ?? 0
    redGreen[pixel] = red - green
    yellowBlue[pixel] = (red + green) / 2 - (rgb[pixel * 3 + 2] ?? 0)
  }
  const [meanOfFirst, deviationOfFirst] = momentsOf(redGreen)
  const [meanOfSecond, deviationOfSecond] = momentsOf(yellowBlue)
  return Math.hypot(deviationOfFirst, deviationOfSecond) + 0.3 * Math.hypot(meanOfFirst, meanOfSecond)
}
