import { type Picture, shrink } from '../../core/picture.ts'
import { lumaOf } from './measure-picture.ts'

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
