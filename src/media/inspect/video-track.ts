import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import type { FirstField, VideoTrack } from '../../core/media.ts'
import { nearestEven, type Size } from '../../core/picture.ts'
import type { Colour } from './colour.ts'
import { hasUnevenFrames, nominalRate, ratio } from './frame-rate.ts'
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
  /** Parts can be transparent. */
  readonly hasAlpha: boolean
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

/** The track of a still picture, which has no length. Throws `media_too_large`, and `processing_failed` if it cannot be read. */
export async function readStillTrack(
  input: FfmpegInput,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Omit<SourceVideo, 'endSeconds'>> {
  const probed = await readProbe({ input, ffmpeg, signal, entries: stillEntries })
  const video = probed.streams.find((stream) => isVideo(stream))
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
export function describeVideo(stream: ProbedStream, probed: ProbeJson): Omit<SourceVideo, 'endSeconds'> {
  const turn = stream.side_data_list.find(({ rotation }) => rotation !== undefined)
  const isTurned = stream.side_data_list.some(({ rotation = 0 }) => isQuarterTurn(rotation))
  const frameTimes = probed.packets.flatMap(({ stream_index, pts_time }) =>
    stream_index === stream.index && pts_time !== undefined ? [pts_time] : [],
  )
  const firstField = firstFieldShown.get(stream.field_order ?? '')
  const frameRate = ratio(stream.avg_frame_rate)
  const baseRate = ratio(stream.r_frame_rate)
  const hasVariableFrameRate = hasUnevenFrames(frameTimes, frameRate)
  return {
    streamIndex: stream.index,
    codec: stream.codec_name,
    ...shapeOf(stream, isTurned),
    frameRate,
    hasVariableFrameRate,
    nominalFrameRate: nominalRate(frameTimes, { averageRate: frameRate, baseRate, hasVariableFrameRate }),
    timeBase: stream.time_base,
    baseFrameRate: stream.r_frame_rate,
    pixelFormat: stream.pix_fmt,
    colour: colourOf(stream),
    isInterlaced: firstField !== undefined,
    hasAlpha: stream.tags.alpha_mode === 1 || alphaFormats.test(stream.pix_fmt ?? stream.codec_name),
    firstField,
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

function colourOf({ color_space, color_transfer, color_primaries, side_data_list }: ProbedStream): Colour {
  const isDolbyVision = side_data_list.some(({ dv_profile }) => dv_profile !== undefined)
  return { matrix: color_space, transfer: color_transfer, primaries: color_primaries, isDolbyVision }
}

/** Wider pixels than this are damage: anamorphic film has 2:1. */
const maxPixelAspect = 4

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
