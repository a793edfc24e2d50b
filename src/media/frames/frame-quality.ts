import { type Picture, shrink } from '../../core/picture.ts'
import type { Face } from '../../models/models.ts'

/** How good a frame is, each 0 to 1. */
export interface FrameQuality {
  readonly sharpness: number
  readonly exposure: number
  readonly contrast: number
  readonly colour: number
  /** 0 without a face. */
  readonly faces: number
  readonly stillness: number
}

/** Measured: sharp pictures have more than 0.02 of detail for their contrast, those blurred by 8 pixels of 1280 at most 0.003. */
const blurredDetail = 0.001
const sharpDetail = 0.03
const unusableDetail = 0.003
/** Measured: pictures have more than 0.9, noise at most 0.5. */
const minStructure = 0.7
const minDeviation = 12
const maxClipped = 0.85

/** Why a frame is in no result, or undefined. */
export function flawOf({ structure, deviation, dark, bright, ...measures }: PictureMeasures): FrameFlaw | undefined {
  if (dark > maxClipped || measures.luma < 20) return 'dark'
  if (bright > maxClipped) return 'bright'
  if (deviation < minDeviation) return 'empty'
  if (structure < minStructure) return 'noise'
  return detailFor(measures.detail, deviation) < unusableDetail ? 'blurred' : undefined
}

export type FrameFlaw = 'dark' | 'bright' | 'empty' | 'noise' | 'blurred'

/** Edges are as sharp in a picture with little contrast. */
function detailFor(detail: number, deviation: number): number {
  return detail / Math.max(1, deviation) ** 2
}

const middleLuma = 118
const strongDeviation = 55
const vividColour = 60
/** Motion from which a frame is not still. */
const muchMotion = 14

export function qualityOf(
  measures: PictureMeasures,
  { motion, faces }: { readonly motion: number; readonly faces: readonly Face[] },
): FrameQuality {
  const { luma, deviation, detail, dark, bright, colourfulness } = measures
  const relative = detailFor(detail, deviation) / blurredDetail
  const centred = 1 - Math.abs(luma - middleLuma) / middleLuma
  return {
    sharpness: share(Math.log(Math.max(1, relative)) / Math.log(sharpDetail / blurredDetail)),
    exposure: share(1.4 * centred) * (1 - share(dark + bright)),
    contrast: share(deviation / strongDeviation),
    colour: share(colourfulness / vividColour),
    faces: Math.max(0, ...faces.map(qualityOfFace)),
    stillness: 1 - share(motion / muchMotion),
  }
}

/** Measured: below, cats and cups are found too. */
export const sureFaceScore = 0.75
/** A face that is smaller cannot be recognized in a thumbnail; one of this size can. */
const smallFace = 0.05
const clearFace = 0.2
/** A face is wholly in the frame with this much of it free on every side. */
const openRoom = 0.02

/** 0 for a face that is not sure or is cut by the edge of the frame, otherwise by its height. */
export function qualityOfFace({ x, y, width, height, score }: Face): number {
  const room = Math.min(x, y, 1 - x - width, 1 - y - height)
  if (score < sureFaceScore || room < openRoom) return 0
  return share(0.4 + (0.6 * (height - smallFace)) / (clearFace - smallFace))
}

const frameWeights = {
  sharpness: 0.3,
  exposure: 0.2,
  contrast: 0.15,
  colour: 0.1,
  faces: 0.15,
  stillness: 0.1,
} as const

/** 0 to 1. */
export function scoreOf(quality: FrameQuality): number {
  return (
    frameWeights.sharpness * quality.sharpness +
    frameWeights.exposure * quality.exposure +
    frameWeights.contrast * quality.contrast +
    frameWeights.colour * quality.colour +
    frameWeights.faces * quality.faces +
    frameWeights.stillness * quality.stillness
  )
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value))
}

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
const meanBlock = 4

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
  const [columns, rows] = [Math.max(1, Math.floor(width / meanBlock)), Math.max(1, Math.floor(height / meanBlock))]
  const means = new Float32Array(columns * rows)
  for (let y = 0; y < Math.min(height, rows * meanBlock); y += 1)
    for (let x = 0; x < Math.min(width, columns * meanBlock); x += 1) {
      const at = Math.floor(y / meanBlock) * columns + Math.floor(x / meanBlock)
      means[at] = (means[at] ?? 0) + (luma[y * width + x] ?? 0) / meanBlock ** 2
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

/** The width at which lists of videos show thumbnails. */
const smallWidth = 168
const legibilityBlock = 8
/** Between neighbours in a small picture, from which their border is seen. */
const visibleStep = 25
/** The share of such borders that a picture with a clear subject has at most, and with which nothing stands out. */
const [calmBorders, busyBorders] = [0.2, 0.55]
const strongShapeDeviation = 42

/** How well a picture is recognized 168 pixels wide, 0 to 1: large shapes that differ in brightness, and few small ones. */
export function legibilityOf(picture: Picture): number {
  const width = Math.min(smallWidth, picture.width)
  const height = Math.max(1, Math.round((picture.height * width) / picture.width))
  const small = shrink(picture, { width, height })
  const columns = Math.max(1, Math.round(width / legibilityBlock))
  const rows = Math.max(1, Math.round(height / legibilityBlock))
  const shapes = lumaOf(shrink(small, { width: columns, height: rows }))
  const contrast = Math.min(1, deviationOf(shapes) / strongShapeDeviation)
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

/** How good a picture is as a thumbnail, each 0 to 1. */
export interface ThumbnailQuality extends Omit<FrameQuality, 'stillness'> {
  /** How well it is recognized 168 pixels wide. */
  readonly legibility: number
}

const thumbnailWeights = {
  faces: 0.2,
  sharpness: 0.2,
  exposure: 0.15,
  contrast: 0.1,
  colour: 0.1,
  legibility: 0.25,
} as const

/** What is left of the score of a picture that nobody would choose. */
const shareIfFlawed = 0.25

interface ThumbnailScore {
  /** 0 to 1. */
  readonly score: number
  readonly quality: ThumbnailQuality
  readonly flaw: FrameFlaw | undefined
}

export function thumbnailScoreOf(picture: Picture, faces: readonly Face[]): ThumbnailScore {
  const measures = measurePicture(picture)
  const { stillness: _, ...frame } = qualityOf(measures, { motion: 0, faces })
  const quality = { ...frame, legibility: legibilityOf(picture) }
  const flaw = flawOf(measures)
  const score =
    thumbnailWeights.faces * quality.faces +
    thumbnailWeights.sharpness * quality.sharpness +
    thumbnailWeights.exposure * quality.exposure +
    thumbnailWeights.contrast * quality.contrast +
    thumbnailWeights.colour * quality.colour +
    thumbnailWeights.legibility * quality.legibility
  return { score: flaw ? score * shareIfFlawed : score, quality, flaw }
}

const columns = 16
const rows = 9

/** The luma of a few large blocks of a picture, 0 to 255, by which pictures are compared. */
export type Fingerprint = readonly number[]

export function fingerprintOf(picture: Picture): Fingerprint {
  return Array.from(lumaOf(shrink(picture, { width: columns, height: rows })), Math.round)
}

/** The mean difference of two pictures' blocks, 0 to 255. */
export function differenceOf(a: Fingerprint, b: Fingerprint): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

/** Pictures that differ less look the same side by side. */
const minDifference = 8

export function looksLike(a: Fingerprint, b: Fingerprint): boolean {
  return differenceOf(a, b) < minDifference
}
