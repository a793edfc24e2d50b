import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import { medianOf } from '../../core/many-numbers.ts'
import type { FirstField, VideoTrack } from '../../core/media.ts'
import { nearestEven, type Size } from '../../core/picture.ts'
import { type Alpha, frameTimesOf, type PictureDetails, stepsBetween } from './picture-details.ts'
import { type ProbedStream, type ProbeJson, readProbe } from './probe-json.ts'

export interface SourceVideo extends VideoTrack {
  readonly streamIndex: number
  /** Seconds of one tick of its timestamps, as `num/den`. */
  readonly timeBase: string
  /** The lowest constant frame rate that has a frame at every frame time of this track, as `num/den`, as far as ffprobe can tell. */
  readonly baseFrameRate: string
  readonly pixelFormat: string | undefined
  readonly colour: Colour
  readonly isInterlaced: boolean
  /** Its decoded frames say that they are fields, so that progressive ones among them are told apart. */
  readonly hasFlaggedFields?: boolean | undefined
  readonly alpha: Alpha | null
  /** From one frame to the next, if each of their fields is in a packet of its own. */
  readonly fieldPairSeconds?: number | undefined
  /** The sizes and shapes of its pictures, if some were looked at. */
  readonly shapes?: readonly string[] | undefined
  /** How players turn the picture, as ffprobe writes it; undefined if they do not. */
  readonly displayMatrix?: string | undefined
  /** Degrees of that turn, counterclockwise. */
  readonly rotation: number
  /** As players show it: after rotation, with square pixels. Both even, as JPEG stores colour for pairs of pixels. */
  readonly shown: Size
  readonly endSeconds: number
}

/**
 * The track of a still picture, which has no length. Of PNG, ffprobe does not read the size: it is given. Throws `media_too_large`, and
 * `processing_failed` if it cannot be read.
 */
export async function readStillTrack(
  input: FfmpegInput,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
  size?: Size,
): Promise<Omit<SourceVideo, 'endSeconds'>> {
  const probed = await readProbe({ input, ffmpeg, signal, entries: stillEntries })
  const video = probed.streams.map((stream) => ({ ...stream, ...size })).find((stream) => isVideo(stream))
  if (!video) throw new ServiceError('processing_failed', 'The picture cannot be read.')
  assertPictureSize(video, ffmpeg.maxPixels)
  // A camera's turn is beside the frame, not beside the stream.
  const side_data_list = probed.frames.flatMap((frame) => frame.side_data_list)
  return describeVideo({ ...video, side_data_list }, probed)
}

/** Decodes the picture. */
const stillEntries = ['-show_entries', 'frame=width:frame_side_data=rotation,displaymatrix', '-read_intervals', '%+#1']

export function isVideo({ codec_type, disposition, width, height }: ProbedStream): boolean {
  return codec_type === 'video' && disposition.attached_pic !== 1 && Boolean(width && height)
}

/** Memory and time of every step on pictures grow with their pixels. */
export function assertPictureSize({ width = 0, height = 0 }: ProbedStream, maxPixels: number): void {
  if (width * height <= maxPixels) return
  throw new ServiceError(
    'media_too_large',
    `The picture has ${width} × ${height} pixels, and at most ${maxPixels} in total are accepted. Convert it to a smaller picture.`,
  )
}

/** What ffprobe has read of the picture. */
export function describeVideo(
  given: ProbedStream,
  probed: ProbeJson,
  details: PictureDetails = {},
): Omit<SourceVideo, 'endSeconds'> {
  const stream = { ...given, pix_fmt: given.pix_fmt ?? details.pixelFormat }
  const turn = stream.side_data_list.find(({ rotation }) => rotation !== undefined)
  const isTurned = stream.side_data_list.some(({ rotation = 0 }) => isQuarterTurn(rotation))
  const { fieldPairSeconds, firstField = firstFieldShown.get(stream.field_order ?? '') } = details
  const frameRate = rateOfFrames(ratio(stream.avg_frame_rate), fieldPairSeconds)
  const baseRate = ratio(stream.r_frame_rate)
  const packetTimes = probed.packets.flatMap(({ stream_index, pts_time }) =>
    stream_index === stream.index && pts_time !== undefined ? [pts_time] : [],
  )
  const frameTimes = [...frameTimesOf(new Float64Array(packetTimes).toSorted(), fieldPairSeconds)]
  const hasVariableFrameRate = hasUnevenFrames(frameTimes, frameRate)
  const isTransparent = stream.tags.alpha_mode === 1 || alphaFormats.test(stream.pix_fmt ?? stream.codec_name)
  const alpha = details.alpha ?? (isTransparent ? 'straight' : null)
  return {
    streamIndex: stream.index,
    codec: stream.codec_name,
    ...shapeOf(stream, isTurned),
    frameRate,
    hasVariableFrameRate,
    nominalFrameRate: nominalRate(frameTimes, { averageRate: frameRate, baseRate, hasVariableFrameRate }),
    timeBase: stream.time_base,
    baseFrameRate: stream.r_frame_rate,
    // Where transparency is beside the picture, ffprobe names the format of the picture.
    pixelFormat: alpha ? stream.pix_fmt?.replace('yuv4', 'yuva4') : stream.pix_fmt,
    colour: colourOf(stream, details),
    isInterlaced: firstField !== undefined,
    alpha,
    firstField,
    fieldPairSeconds,
    displayMatrix: turn?.displaymatrix,
    rotation: turn?.rotation ?? 0,
  }
}

/** ffmpeg's names of pixel formats with transparency. Indexed colours seldom have it, and of PNG ffprobe does not read the format. */
const alphaFormats = /^(yuva|gbrap|ya\d|rgba|bgra|argb|abgr|ayuv|vuya|png)/

/** ffprobe names the field that is coded first, then the one that is shown first. */
const firstFieldShown: ReadonlyMap<string, FirstField> = new Map<string, FirstField>([
  ['tt', 'upper'],
  ['bt', 'upper'],
  ['bb', 'lower'],
  ['tb', 'lower'],
])

function colourOf(stream: ProbedStream, details: PictureDetails): Colour {
  const { color_space, color_transfer, color_primaries } = stream
  const dynamicMetadata = dynamicMetadataOf(stream, details)
  return { matrix: color_space, transfer: color_transfer, primaries: color_primaries, dynamicMetadata }
}

function dynamicMetadataOf(
  { side_data_list }: ProbedStream,
  { hasHdr10Plus }: PictureDetails,
): Colour['dynamicMetadata'] {
  if (side_data_list.some(({ dv_profile }) => dv_profile !== undefined)) return 'Dolby Vision'
  return hasHdr10Plus ? 'HDR10+' : undefined
}

/** Wider pixels than this are damage: anamorphic film has 2:1. */
export const maxPixelAspect = 4

/** Of degrees, in either direction. */
export function isQuarterTurn(degrees: number): boolean {
  return Math.abs(Math.round(degrees)) % 180 === 90
}

type Shape = Pick<ProbedStream, 'width' | 'height' | 'sample_aspect_ratio'>

/** The size and the pixels of a picture, as players show it. */
export function shapeOf(
  picture: Shape,
  isTurned: boolean,
): Pick<SourceVideo, 'width' | 'height' | 'pixelAspect' | 'shown'> {
  const { width = 0, height = 0 } = picture
  const size = isTurned ? { width: height, height: width } : { width, height }
  return { ...size, pixelAspect: pixelAspectOf(picture, isTurned), shown: shownSize(picture, isTurned) }
}

function pixelAspectOf({ sample_aspect_ratio }: Shape, isTurned: boolean): VideoTrack['pixelAspect'] {
  const [across = 0, down = 0] = sample_aspect_ratio.split(':').map(Number)
  const aspect = across / down
  if (across === down || !(aspect >= 1 / maxPixelAspect && aspect <= maxPixelAspect)) return undefined
  return isTurned ? { across: down, down: across } : { across, down }
}

function shownSize(picture: Shape, isTurned: boolean): Size {
  const { width = 0, height = 0 } = picture
  const aspect = pixelAspectOf(picture, false)
  const across = nearestEven(aspect ? (width * aspect.across) / aspect.down : width)
  return isTurned ? { width: nearestEven(height), height: across } : { width: across, height: nearestEven(height) }
}

/** How the numbers of a picture stand for colours, by ffmpeg's names. Undefined where the file does not say. */
interface Colour {
  readonly matrix?: string | undefined
  readonly transfer?: string | undefined
  readonly primaries?: string | undefined
  /** Instructions for each scene, beside or on top of PQ or HLG. */
  readonly dynamicMetadata?: 'Dolby Vision' | 'HDR10+' | undefined
}

/** The brightness of white paper and of captions in HDR, in cd/m² (ITU-R BT.2408, table 1) … */
const referenceWhite = 203
/** … and the share of the signal at which PQ and HLG have it. */
const hdrWhite: ReadonlyMap<string | undefined, number> = new Map([
  ['smpte2084', 0.58],
  ['arib-std-b67', 0.75],
])

/** Of a caption, 0 to 255. */
export function captionWhite({ transfer }: Colour): number {
  return Math.round(255 * (hdrWhite.get(transfer) ?? 1))
}

/** How receipts call it. */
export function dynamicRangeOf({ transfer, dynamicMetadata }: Colour): string {
  if (dynamicMetadata) return dynamicMetadata
  if (!hdrWhite.has(transfer)) return 'SDR'
  return transfer === 'smpte2084' ? 'PQ' : 'HLG'
}

/** Up to this share of white, brightness is kept. Brighter shades are pressed together, so that those up to 1,000 cd/m² differ. */
const keptShare = 0.7
const peak = 1000 / referenceWhite

/**
 * Filters for pictures that are looked at or stored as SDR: they turn HDR into BT.709, in which white stays white. None for SDR. They take
 * floating-point numbers, so scale the picture down before.
 */
export function toneMapFilters({ matrix = 'bt2020nc', transfer, primaries = 'bt2020' }: Colour): string[] {
  if (!hdrWhite.has(transfer)) return []
  return [
    `setparams=colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`,
    ...[`zscale=transfer=linear:npl=${referenceWhite}`, 'format=gbrpf32le', 'zscale=primaries=bt709'],
    `tonemap=mobius:param=${keptShare}:peak=${peak.toFixed(3)}:desat=0`,
    ...['zscale=transfer=bt709:matrix=bt709:range=limited', 'format=yuv420p'],
  ]
}

// What makes opaque and progressive frames of pictures that have fields or transparency.

type Layered = Pick<
  SourceVideo,
  'codec' | 'width' | 'height' | 'rotation' | 'displayMatrix' | 'firstField' | 'hasFlaggedFields' | 'alpha'
>

/** By ffmpeg's names. Its own decoders of these leave transparency out. */
const alphaDecoders: ReadonlyMap<string, string> = new Map([
  ['vp8', 'libvpx'],
  ['vp9', 'libvpx-vp9'],
])

/** Input options with which ffmpeg decodes the transparency of a picture, and does not turn its fields. */
export function layerOptions(
  video: Pick<Layered, 'codec' | 'rotation' | 'displayMatrix' | 'firstField' | 'alpha'> | null,
): string[] {
  const decoder = video?.alpha ? alphaDecoders.get(video.codec) : undefined
  return [
    ...(decoder === undefined ? [] : ['-c:v', decoder]),
    ...(video?.firstField && hasTurn(video) ? ['-display_rotation', '0'] : []),
  ]
}

/** Scales a picture with its transparency. The colours under transparent parts do not show at their edges. */
export function layerScaleFilters({ width, height }: Size): string[] {
  return ['format=gbrap', 'premultiply=inplace=1', `scale=${width}:${height}:flags=area`, 'unpremultiply=inplace=1']
}

/** Composes a picture on black, instead of showing the colours under its transparent parts. */
export function onBlackFilters({ alpha }: Pick<Layered, 'alpha'>): string[] {
  return alpha === 'straight' ? ['premultiply=inplace=1'] : []
}

/**
 * Makes one progressive frame of the two fields of each, at the same time, and turns it upright. Frames that are progressive among them are
 * kept.
 */
export function deinterlaceFilters(video: Layered): string[] {
  const { width, height, firstField, hasFlaggedFields } = video
  if (!firstField) return []
  const marked = hasFlaggedFields ? [] : [fieldsFilter(firstField)]
  // The filter takes no smaller pictures.
  const isSmall = Math.min(width, height) < 4
  return [...marked, ...(isSmall ? [] : ['bwdif=mode=send_frame:deint=interlaced']), ...turnFilters(video)]
}

/** Whether players turn or mirror the picture. */
export function hasTurn(video: Pick<SourceVideo, 'rotation' | 'displayMatrix'>): boolean {
  return video.rotation !== 0 || turnFilters(video).length > 0
}

/** Those of ffmpeg for a display matrix (fftools/ffmpeg_filter.c, configure_input_video_filter). Each line is the number of a row, then the row. */
function turnFilters({ displayMatrix = '' }: Pick<SourceVideo, 'displayMatrix'>): string[] {
  const [a = 1, b = 0, , c = 0, d = 1] = Array.from(displayMatrix.matchAll(/(?<=\s)-?\d+(?!\d*:)/g), Number)
  if (Math.abs(b) > Math.abs(a)) {
    if (b > 0) return [`transpose=${c > 0 ? 'cclock_flip' : 'clock'}`]
    return [`transpose=${c < 0 ? 'clock_flip' : 'cclock'}`]
  }
  return [...(a < 0 ? ['hflip'] : []), ...(d < 0 ? ['vflip'] : [])]
}

/** Marks every frame as fields in this order. */
export function fieldsFilter(first: FirstField): string {
  return `setfield=${first === 'upper' ? 'tff' : 'bff'}`
}

/** The value of `num/den`; 0 if it is not a finite number. */
export function ratio(text: string): number {
  const [numerator, denominator = 1] = text.split('/').map(Number)
  const value = (numerator ?? 0) / denominator
  return Number.isFinite(value) ? value : 0
}

/** Containers count a packet for each field, or know better from the encoder. */
function rateOfFrames(packetRate: number, fieldPairSeconds: number | undefined): number {
  const frames = packetRate * (fieldPairSeconds ?? 0)
  if (fieldPairSeconds === undefined || frames < 1.02) return packetRate
  return Math.abs(frames - 2) < 0.02 ? packetRate / 2 : 1 / fieldPairSeconds
}

/** WebM rounds frame times to the millisecond, on both sides of an interval. */
const roundingSeconds = 0.0025

/** Cameras and screens have no higher rates. Timestamps of a finer clock make ffprobe state thousands. */
const maxNominalRate = 240

interface RatesOfTrack {
  readonly averageRate: number
  /** What ffprobe takes for the rate that has a frame at every frame time; the average where it cannot tell. */
  readonly baseRate: number
  readonly hasVariableFrameRate: boolean
}

/**
 * The rate at which frames were taken. A recorder of a screen or a phone leaves out frames, so that the average says nothing: then it
 * is the base rate, or that of the shortest usual time between two frames.
 */
function nominalRate(
  frameTimes: readonly number[],
  { averageRate, baseRate, hasVariableFrameRate }: RatesOfTrack,
): number {
  if (!hasVariableFrameRate) return averageRate
  if (baseRate > 0 && baseRate <= maxNominalRate && baseRate !== averageRate) return baseRate
  const steps = stepsBetween(frameTimes)
    .filter((step) => step > 1 / maxNominalRate)
    .toSorted((a, b) => a - b)
  const shortest = steps[Math.floor(steps.length / 10)]
  if (shortest === undefined) return averageRate
  const alike = steps.filter((step) => Math.abs(step - shortest) <= roundingSeconds)
  return alike.length / alike.reduce((sum, step) => sum + step, 0)
}

/**
 * Whether some frames are shown for longer than others. Judged by the times of the first frames, ascending, and by the
 * average rate of the whole file, which differs if later frames do.
 */
function hasUnevenFrames(frameTimes: readonly number[], averageRate: number): boolean {
  // The last frames of a sample can lack a neighbour that is stored later.
  const steps = stepsBetween(frameTimes).slice(0, -3)
  if (steps.length < 2) return false
  const median = medianOf(steps) ?? 0
  const spread = Math.max(...steps) - Math.min(...steps)
  if (spread > Math.max(roundingSeconds, median / 10)) return true
  return averageRate > 0 && median > roundingSeconds * 4 && Math.abs(averageRate * median - 1) > 0.02
}
