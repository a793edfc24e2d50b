import { z } from 'zod'
import type { Segment } from './segments.ts'

/** Pixels row by row, three bytes each: red, green, blue. */
export const picture = z
  .object({ width: z.int().min(1), height: z.int().min(1), rgb: z.instanceof(Uint8Array) })
  .refine(({ width, height, rgb }) => rgb.length === width * height * 3, 'expected three bytes a pixel')

export type Picture = z.output<typeof picture>

export interface Size {
  readonly width: number
  readonly height: number
}

/** The even number nearest to a length, at least 2: most formats store colour for pairs of pixels. */
export function nearestEven(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2))
}

/** The shapes of a clip's picture; `source` keeps the source's. */
export const clipAspects = ['source', '9:16', '1:1', '4:5', '16:9'] as const
export type ClipAspect = (typeof clipAspects)[number]

/** Pixels from top to bottom of a picture of this shape, as feeds and players show it best: 1080 × 1920, 1080 × 1080, 1080 × 1350 and 1920 × 1080. */
export const usualHeights = { '9:16': 1920, '1:1': 1080, '4:5': 1350, '16:9': 1080 } as const satisfies Record<
  Exclude<ClipAspect, 'source'>,
  number
>

/** How a picture gets another shape. */
export const clipFits = ['crop', 'pad', 'blur'] as const
export type ClipFit = (typeof clipFits)[number]

/** A point of a picture, as shares of its width and height from the upper left corner. */
export interface PicturePoint {
  readonly x: number
  readonly y: number
}

/** What a crop can keep inside by looking at the picture. */
export const cropSubjects = ['faces', 'motion', 'text'] as const
export type CropSubject = (typeof cropSubjects)[number]

/** What a crop follows at a moment. `held`: nothing is shown to follow, and it stays where something was, or will be. */
export const cropFollows = [...cropSubjects, 'point', 'held', 'centre'] as const
export type CropFollows = (typeof cropFollows)[number]

/** A stretch of the media in which a crop keeps to a point. */
export type FocusPoint = Segment & PicturePoint

/** Those that count in a window. */
export function pointsIn(points: readonly FocusPoint[], windows: readonly Segment[]): FocusPoint[] {
  return points.filter((point) => windows.some(({ start, end }) => point.start < end && point.end > start))
}

/** The side along which a crop can move, and the share of the picture's length that it takes there. */
export interface CropRoom {
  readonly along: 'x' | 'y'
  readonly share: number
}

/**
 * Where a crop lies from a moment on: 0 is the left or upper end of its room, 1 the other. It moves evenly to the next point, and
 * jumps where two points have the same time.
 */
export interface CropPoint {
  /** On the clock where the media starts at 0. */
  readonly seconds: number
  readonly at: number
  readonly follows: CropFollows
  /** The text that is followed from here on has a line that is longer than the crop. */
  readonly cutsText?: true | undefined
}

/** Finds where the crops of a clip lie. */
export interface CropFollower {
  readonly follows: CropSubject | 'point'
  readonly points: readonly FocusPoint[]
  /** The path in ascending windows. Empty if there is nothing to follow: the crop keeps to the centre. */
  find(room: CropRoom, windows: readonly Segment[], signal: AbortSignal): Promise<readonly CropPoint[]>
}

/** The picture at a smaller size, each pixel the mean of those that it covers. */
export function shrink({ width, height, rgb }: Picture, size: Size): Picture {
  const shrunk = new Uint8Array(size.width * size.height * 3)
  const columns = spansOf(width, size.width)
  for (const [y, [top, bottom]] of spansOf(height, size.height).entries()) {
    for (const [x, [left, right]] of columns.entries()) {
      let [red, green, blue] = [0, 0, 0]
      for (let row = top; row < bottom; row += 1) {
        for (let at = (row * width + left) * 3; at < (row * width + right) * 3; at += 3) {
          red += rgb[at] ?? 0
          green += rgb[at + 1] ?? 0
          blue += rgb[at + 2] ?? 0
        }
      }
      const pixels = (bottom - top) * (right - left)
      shrunk.set([red / pixels, green / pixels, blue / pixels], (y * size.width + x) * 3)
    }
  }
  return { ...size, rgb: shrunk }
}

/** For each of `count` equal parts of a length, its first whole pixel and the one after its last: at least one pixel. */
function spansOf(length: number, count: number): [number, number][] {
  return Array.from({ length: count }, (_, index) => {
    const first = Math.min(length - 1, Math.floor((index * length) / count))
    return [first, Math.max(first + 1, Math.floor(((index + 1) * length) / count))]
  })
}
