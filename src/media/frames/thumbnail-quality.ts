import type { Picture } from '../../core/picture.ts'
import type { Face } from '../../models/find-faces/faces.ts'
import { type FrameFlaw, type FrameQuality, flawOf, qualityOf } from './frame-quality.ts'
import { legibilityOf } from './measure-legibility.ts'
import { measurePicture } from './measure-picture.ts'

/** How good a picture is as a thumbnail, each 0 to 1. */
export interface ThumbnailQuality extends Omit<FrameQuality, 'stillness'> {
  /** How well it is recognized 168 pixels wide. */
  readonly legibility: number
}

const weights = { faces: 0.2, sharpness: 0.2, exposure: 0.15, contrast: 0.1, colour: 0.1, legibility: 0.25 } as const

/** What is left of the score of a picture that nobody would choose. */
const shareIfFlawed = 0.25

export interface ThumbnailScore {
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
    weights.faces * quality.faces +
    weights.sharpness * quality.sharpness +
    weights.exposure * quality.exposure +
    weights.contrast * quality.contrast +
    weights.colour * quality.colour +
    weights.legibility * quality.legibility
  return { score: flaw ? score * shareIfFlawed : score, quality, flaw }
}
