import type { ClipFormat, FirstField } from '../../core/media.ts'
import { type CropPoint, type CropRoom, nearestEven, type Size } from '../../core/picture.ts'
import {
  deinterlaceFilters,
  fieldsFilter,
  hasTurn,
  layerOptions,
  maxPixelAspect,
  onBlackFilters,
  type SourceVideo,
} from '../inspect/video-track.ts'
import type { ClipCaptions } from './burn-captions.ts'
import { type ClipPicture, drawnSize, sizeInside } from './clip-picture.ts'
import { containers, type VideoCodec } from './encoders.ts'
import type { ClipLogo } from './logo.ts'

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
  if (hasEvenSize({ width, height })) return [pixels]
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

/** Longer paths are thinned out: with captions and ranges, they are in one argument of at most 128 KiB (MAX_ARG_STRLEN in execve(2)). */
const maxPoints = 1_000
/** Paths state times to the millisecond, and a jump must not come after its frame. */
const roundingSeconds = 0.001

/** The place of the crop at the time `t` of a frame. */
function pathExpression(path: readonly CropPoint[], originSeconds: number): string {
  const points = thinnedOut(path)
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

/** As many points as an argument has room for: jumps, which are two at one time, stay if they can. */
function thinnedOut(path: readonly CropPoint[]): readonly CropPoint[] {
  const isJump = (index: number) =>
    path[index]?.seconds === path[index - 1]?.seconds || path[index]?.seconds === path[index + 1]?.seconds
  const jumps = path.filter((_, index) => isJump(index)).length
  const canKeep = jumps < maxPoints
  const [given, room] = canKeep ? [path.length - jumps, maxPoints - jumps] : [path.length, maxPoints]
  const every = Math.ceil(given / room)
  let passed = 0
  return path.filter((_, index) => {
    if (canKeep && isJump(index)) return true
    passed += 1
    return (passed - 1) % every === 0
  })
}

/** What the encoded frames of a clip keep of the source's. */
export interface KeptPicture {
  /** Which field of a frame is shown first. Null if frames have no fields, or if both become one picture. */
  readonly fields: FirstField | null
  /** Parts stay transparent. */
  readonly alpha: boolean
  /** Pictures are brought to one size. A film can change it where it was not looked at: its pieces would differ, and crops would not fit. */
  readonly isFitted: boolean
}

export const nothingKept: KeptPicture = { fields: null, alpha: false, isFitted: false }

interface KeptPictureRequest {
  readonly format: ClipFormat
  readonly deinterlace?: boolean
  readonly picture: ClipPicture | null
  readonly captions: ClipCaptions | null
  readonly logo: ClipLogo | null
  /** It is joined from several pieces. */
  readonly isDivided: boolean
}

/** Of the encoders, x264 keeps fields and libvpx transparency. A picture that is scaled or turned would mix its fields. */
export function keptPicture(
  track: SourceVideo,
  { format, deinterlace = false, picture, captions, logo, isDivided }: KeptPictureRequest,
): KeptPicture {
  const codec = videoCodecOf(format, track)
  const isDrawnOn = Boolean(captions?.look) || logo !== null
  const isOpaque = isDrawnOn || picture?.fit === 'pad' || picture?.fit === 'blur'
  const isAsStored = !deinterlace && !picture && !hasTurn(track) && !changesShape(track)
  return {
    fields: codec === 'h264' && isAsStored ? (track.firstField ?? null) : null,
    alpha: track.alpha !== null && codec === 'vp9' && !isOpaque,
    isFitted: isDivided || isDrawnOn || picture !== null || changesShape(track),
  }
}

/** Filters that come first: they make the decoded frames equal in what the clip does not keep. */
export function arrivalFilters(track: SourceVideo, kept: KeptPicture): string[] {
  const fit = kept.isFitted ? sameShapeFilters(track) : []
  const isFirst = fitsArriving(track)
  return [
    ...(isFirst ? fit : []),
    ...(kept.alpha ? straightFilters(track) : onBlackFilters(track)),
    ...(kept.fields ? keptFieldsFilters(kept.fields) : deinterlaceFilters(track)),
    ...(isFirst ? [] : fit),
  ]
}

/**
 * Whether pictures can be fitted as they arrive, so that filters last to the end: those that are built again forget which captions come
 * next. ffmpeg turns pictures before these filters, and cuts an odd size by a filter for one size.
 */
function fitsArriving(track: SourceVideo): boolean {
  return !hasTurn(track) && hasEvenSize(track)
}

/** Input options that go with these filters. */
export function arrivalOptions(track: SourceVideo, { isFitted }: KeptPicture): string[] {
  return [...layerOptions(track), ...(isFitted && fitsArriving(track) ? ['-reinit_filter:v', '0'] : [])]
}

/** WebM stores colours as they are. */
function straightFilters({ alpha }: SourceVideo): string[] {
  return alpha === 'premultiplied' ? ['setparams=alpha_mode=premultiplied', 'unpremultiply=inplace=1'] : []
}

/** Colours of fields are not mixed where they are stored for fewer pixels than in the source. */
function keptFieldsFilters(first: FirstField): string[] {
  return [fieldsFilter(first), 'scale=interl=1']
}

function hasEvenSize({ width, height }: Size): boolean {
  return width % 2 === 0 && height % 2 === 0
}

function changesShape({ shapes = [] }: SourceVideo): boolean {
  return shapes.length > 1
}

/**
 * Fits each frame into the picture of the track, between black bars. Of an odd size, a row and a column are cut off, as of pictures that
 * are not fitted.
 */
function sameShapeFilters({ pixelAspect, ...track }: SourceVideo): string[] {
  const { across, down } = pixelAspect ?? { across: 1, down: 1 }
  const { width, height } = drawnSize(track, null)
  const shown = `iw/ih*if(between(sar,1/${maxPixelAspect},${maxPixelAspect}),sar,1)`
  const even = (side: string) => `'2*round(min(${side})/2)'`
  const [fullWidth, fullHeight] = [`${height}*${shown}*${down}/${across}`, `${width}*${across}/${down}/(${shown})`]
  return [
    ...(hasEvenSize(track) ? [] : ["crop='max(1,iw-mod(iw,2))':'max(1,ih-mod(ih,2))':0:0"]),
    `scale=${even(`${width},${fullWidth}`)}:${even(`${height},${fullHeight}`)}:eval=frame`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:eval=frame`,
    `setsar=${across}/${down}`,
  ]
}

/**
 * An ffmpeg expression with the value `values[n]` if `n` bounds are at or below the variable. A binary tree, because ffmpeg
 * rejects a sum of hundreds of comparisons, and would evaluate all of it for every frame.
 */
export function stepExpression(
  variable: string,
  bounds: readonly (number | string)[],
  values: readonly string[],
): string {
  const [only = '0'] = values
  if (values.length < 2) return only
  const middle = values.length >> 1
  const below = stepExpression(variable, bounds.slice(0, middle - 1), values.slice(0, middle))
  const above = stepExpression(variable, bounds.slice(middle), values.slice(middle))
  return `if(lt(${variable},${bounds[middle - 1]}),${below},${above})`
}

type Pixels = Pick<SourceVideo, 'pixelFormat'>

/**
 * The codec of an encoded picture. More than 8 bits are H.265, because phones, televisions and Apple's players decode H.264 of 8 bits
 * only. ffmpeg writes no H.265 with the brand of M4V.
 */
export function videoCodecOf(format: ClipFormat, track: Pixels): VideoCodec {
  const codec = containers[format].video ?? 'h264'
  return codec === 'h264' && isDeep(track) && format !== 'm4v' ? 'hevc' : codec
}

/** The pixel format of an encoded picture: 4:2:0, with 10 bits if the source has more than 8. Transparent ones are encoded with 8. */
export function pixelFormatOf(track: Pixels, kept: Pick<KeptPicture, 'alpha'>): 'yuv420p' | 'yuv420p10le' | 'yuva420p' {
  if (kept.alpha) return 'yuva420p'
  return isDeep(track) ? 'yuv420p10le' : 'yuv420p'
}

/** The name of the format in which the filter `overlay` works: its default has 8 bits. */
export function overlayFormat(track: Pixels): string {
  return isDeep(track) ? 'yuv420p10' : 'yuv420'
}

/** Whether colours have more than 8 bits. */
export function isDeep({ pixelFormat }: Pixels): boolean {
  return bitsOf(pixelFormat) > 8
}

/** Bits of a colour, by ffmpeg's name of the pixel format, such as `yuv420p10le`, `p010le` and `rgb48le`. */
export function bitsOf(pixelFormat = ''): number {
  const [, digits = '8'] = /(\d+)[lb]e$/.exec(pixelFormat) ?? []
  const isPacked = /^(rgb|bgr)[45]\d\d[lb]e$/.test(pixelFormat)
  return isPacked ? 8 : Math.min(16, Number(digits.slice(-2)))
}

/** What ffprobe reads without its format, because it cannot inflate: the pixels are red, green and blue. */
const unreadRgb = /^(png|zlib|flashsv|tscc|zmbv)$/

/** Whether the pixels are stored as red, green and blue, or as indexes of such colours. AV1 says it by its matrix alone. */
export function isRgb({
  pixelFormat,
  codec = '',
  colour,
}: Pixels & Partial<Pick<SourceVideo, 'codec' | 'colour'>>): boolean {
  if (pixelFormat === undefined) return unreadRgb.test(codec)
  return /rgb|bgr|gbr|^pal8$/.test(pixelFormat) || (colour?.matrix === 'gbr' && /444/.test(pixelFormat))
}
