import {
  type ClipAspect,
  type ClipFit,
  type CropFollows,
  nearestEven,
  type Size,
  usualHeights,
} from '../../core/picture.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { ClipInput } from './clip-marks.ts'
import type { FollowedStretch } from './followed-crop.ts'

export interface PictureRequest {
  readonly aspect: ClipAspect
  readonly fit: ClipFit
  /** At most this high. Null: the usual height of the shape. */
  readonly heightPixels: number | null
}

/** A clip's picture that differs from the source's. Its pixels are square, and both sides are even. */
export interface ClipPicture extends Size {
  readonly request: PictureRequest
  /** `scale`: the source has the shape already. */
  readonly fit: ClipFit | 'scale'
  /** What a crop keeps inside: in a plan, what is looked for; in a receipt, what was found. */
  readonly follows?: CropFollows | undefined
  /** In a receipt, of each piece. */
  readonly stretches?: readonly FollowedStretch[]
  /** The largest part of the source with this shape, in pixels as players show them. */
  readonly part: Size
}

/** The picture of the requested shape and height, enlarged at most to the usual height. Null if the source's picture is to be kept. */
export function clipPicture(
  { shown, width, height }: SourceVideo,
  { picture: request, follower }: Pick<ClipInput, 'picture' | 'follower'>,
): ClipPicture | null {
  if (!request) return null
  const { aspect, heightPixels } = request
  if (aspect === 'source' && heightPixels === null) return null
  const source = shown.width / shown.height
  const shape = aspect === 'source' ? source : shapeOf(aspect)
  const hasShape = Math.abs(shape / source - 1) < sameShape
  // A line of pixels has no part of another shape.
  const fit = hasShape || Math.min(width, height) < 2 ? 'scale' : request.fit
  // An odd height is shown as the next even one.
  const part = partOf({ width: shown.width, height: shown.height === height + 1 ? height : shown.height }, shape)
  const largest = fit === 'pad' || fit === 'blur' ? heightOfArea(shown, shape) : part.height
  const usual = aspect === 'source' ? largest : usualHeights[aspect]
  const high = Math.max(2, 2 * Math.floor(Math.min(heightPixels ?? usual, Math.max(usual, largest)) / 2 + rounding))
  return {
    request,
    fit,
    follows: fit === 'crop' ? (follower?.follows ?? 'centre') : undefined,
    part,
    width: nearestEven(high * shape),
    height: high,
  }
}

/** The size of the pictures that captions and logos are drawn over. A side of one pixel is enlarged. */
export function drawnSize(track: Size, picture: ClipPicture | null): Size {
  const { width, height } = picture ?? { width: track.width & ~1, height: track.height & ~1 }
  return { width: Math.max(2, width), height: Math.max(2, height) }
}

/** The size of the whole source within the picture, for `pad` and `blur`. */
export function sizeInside(picture: Size, { shown }: SourceVideo): Size {
  const scale = Math.min(picture.width / shown.width, picture.height / shown.height)
  return { width: nearestEven(shown.width * scale), height: nearestEven(shown.height * scale) }
}

/** Shapes that differ by less are one, because sides are rounded to even numbers. */
const sameShape = 0.01
/** A height of 1079.9999 is 1080. */
const rounding = 1e-6

function shapeOf(aspect: Exclude<ClipAspect, 'source'>): number {
  const [across = 1, down = 1] = aspect.split(':').map(Number)
  return across / down
}

function partOf({ width, height }: Size, shape: number): Size {
  return { width: Math.min(width, height * shape), height: Math.min(height, width / shape) }
}

/** A canvas has as many pixels as the source, so that it needs no more memory: 1080 × 1920 for 1920 × 1080. */
function heightOfArea({ width, height }: Size, shape: number): number {
  return Math.sqrt((width * height) / shape)
}
