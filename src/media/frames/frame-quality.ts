import type { Face } from '../../models/find-faces/faces.ts'
import type { PictureMeasures } from './measure-picture.ts'

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

const weights = { sharpness: 0.3, exposure: 0.2, contrast: 0.15, colour: 0.1, faces: 0.15, stillness: 0.1 } as const

/** 0 to 1. */
export function scoreOf(quality: FrameQuality): number {
  return (
    weights.sharpness * quality.sharpness +
    weights.exposure * quality.exposure +
    weights.contrast * quality.contrast +
    weights.colour * quality.colour +
    weights.faces * quality.faces +
    weights.stillness * quality.stillness
  )
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value))
}
