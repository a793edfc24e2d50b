import { type CropPoint, type CropRoom, nearestEven, type Size } from '../../core/picture.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import { type ClipPicture, sizeInside } from './clip-picture.ts'
import type { KeptPicture } from './kept-picture.ts'
import { isRgb, overlayFormat, pixelFormatOf } from './pixel-format.ts'
import { stepExpression } from './step-expression.ts'

// ffmpeg filters that give a clip's picture its shape and size.

/** The room in which the crop of this picture moves. Undefined if nothing is cropped. */
export function cropRoom({ shown }: SourceVideo, picture: ClipPicture | null): CropRoom | undefined {
  if (picture?.fit !== 'crop') return undefined
  const [across, down] = [picture.part.width / shown.width, picture.part.height / shown.height]
  return across < down ? { along: 'x', share: across } : { along: 'y', share: down }
}

/**
 * Crops along the path, or around the centre if it is empty. The path is on the media's clock, so that this comes before any filter
 * that changes times.
 */
export function cropFilters(
  track: SourceVideo,
  picture: ClipPicture | null,
  path: readonly CropPoint[],
  originSeconds: number,
): string[] {
  const room = cropRoom(track, picture)
  if (!picture || !room) return []
  const { width, height } = partOfTrack(track, picture)
  const at = path.length > 0 ? pathExpression(path, originSeconds) : '0.5'
  const [x, y] = room.along === 'x' ? [at, '0.5'] : ['0.5', at]
  return [`crop=${width}:${height}:'(iw-ow)*${x}':'(ih-oh)*${y}'`]
}

/** Sets the size of the picture, and its pixels' format to what encoders take. */
export function sizeFilters(track: SourceVideo, picture: ClipPicture | null, kept: KeptPicture): string[] {
  return [...matrixFilters(track, kept), ...sizeAndFormat(track, picture, kept)]
}

/**
 * Gives pictures of red, green and blue the matrix of high definition, or of HDR. By itself, ffmpeg takes the one of BT.601 without
 * saying so, and players expect that of BT.709.
 */
function matrixFilters(track: SourceVideo, kept: KeptPicture): string[] {
  if (!isRgb(track)) return []
  const matrix = track.colour.primaries === 'bt2020' ? 'bt2020nc' : 'bt709'
  return [`scale=out_color_matrix=${matrix}:out_range=limited`, `format=${pixelFormatOf(track, kept)}`]
}

function sizeAndFormat(track: SourceVideo, picture: ClipPicture | null, kept: KeptPicture): string[] {
  const pixels = `format=${pixelFormatOf(track, kept)}`
  if (!picture) return evenSizeFilters(track, pixels)
  const { fit, width, height } = picture
  if (fit === 'blur') return [blurFilter(track, picture, pixels)]
  if (fit === 'pad') return [scaleTo(sizeInside(picture, track)), pixels, `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`]
  return [scaleTo(picture), pixels]
}

function scaleTo({ width, height }: Size): string {
  return `scale=${width}:${height},setsar=1`
}

/** The picture's part of the source in the source's own pixels, which need not be square. */
function partOfTrack({ shown, ...track }: SourceVideo, { part }: ClipPicture): Size {
  const even = (pixelCount: number, most: number) => Math.min(most & ~1, nearestEven(pixelCount))
  return {
    width: even((part.width * track.width) / shown.width, track.width),
    height: even((part.height * track.height) / shown.height, track.height),
  }
}

/**
 * Makes width and height even, because 4:2:0 stores colour for pairs of pixels. Cuts a row or a column off, because an added
 * one would be visible.
 */
function evenSizeFilters({ width, height }: SourceVideo, pixels: string): string[] {
  if (width % 2 === 0 && height % 2 === 0) return [pixels]
  if (width === 1 || height === 1) return [`scale=${Math.max(2, width & ~1)}:${Math.max(2, height & ~1)}`, pixels]
  return [`crop=${width & ~1}:${height & ~1}:0:0`, pixels]
}

/** The background is blurred at this part of its size, where that takes little time. */
const blurredPart = 8
const minSide = 16

/** The source in front of its own part that fills the picture, blurred. */
function blurFilter(track: SourceVideo, picture: ClipPicture, pixels: string): string {
  const part = partOfTrack(track, picture)
  const small = (side: number) => Math.max(minSide, nearestEven(side / blurredPart))
  const behind = [
    `crop=${part.width}:${part.height}`,
    `scale=${small(picture.width)}:${small(picture.height)}`,
    ...['gblur=sigma=4', scaleTo(picture)],
  ]
  return [
    `${pixels},split[whole][part]`,
    `[part]${behind.join(',')}[behind]`,
    `[whole]${scaleTo(sizeInside(picture, track))}[before]`,
    `[behind][before]overlay=(W-w)/2:(H-h)/2:format=${overlayFormat(track)}`,
  ].join(';')
}

/** Longer paths are thinned out: an argument of a command has at most 128 KiB (MAX_ARG_STRLEN in execve(2)). */
const maxPoints = 1500
/** Paths state times to the millisecond, and a jump must not come after its frame. */
const roundingSeconds = 0.001

/** The place of the crop at the time `t` of a frame. */
function pathExpression(path: readonly CropPoint[], originSeconds: number): string {
  const every = Math.ceil(path.length / maxPoints)
  const points = path.filter((_, index) => index % every === 0)
  const [first = { at: 0.5 }] = points
  const steps = points.flatMap(({ seconds, at }, index) => {
    const next = points[index + 1] ?? { seconds: Number.POSITIVE_INFINITY, at }
    if (next.seconds <= seconds) return []
    const from = (seconds + originSeconds - roundingSeconds).toFixed(3)
    const speed = (next.at - at) / (next.seconds - seconds)
    return { from, value: speed === 0 ? at.toFixed(4) : `(${at.toFixed(4)}+(t-${from})*${speed.toFixed(5)})` }
  })
  const values = [first.at.toFixed(4), ...steps.map(({ value }) => value)]
  return stepExpression(
    't',
    steps.map(({ from }) => from),
    values,
  )
}
