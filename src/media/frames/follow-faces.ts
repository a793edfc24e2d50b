import { lowerBound } from '../../core/many-numbers.ts'
import type { CropPoint, CropRoom, Picture, Size } from '../../core/picture.ts'
import type { Segment } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import type { Face, Models } from '../../models/models.ts'
import { seekBefore, seekOptions } from '../inspect/frame-window.ts'
import { toneMapFilters } from '../inspect/video-track.ts'
import { cutDifference } from './find-frames.ts'
import { differenceOf, type Fingerprint, fingerprintOf, lumaOf, sureFaceScore } from './frame-quality.ts'
import { type FrameSource, frameParser, lookingDeadline, sizeWithin, timedFrameOptions } from './sample-frames.ts'

interface FaceFollower extends Pick<FrameSource, 'tracks' | 'video' | 'ffmpeg'> {
  readonly models: Models
}

/** How crops of this film find their paths. Undefined without a picture or a model for faces. */
export function cropPathFinder({ tracks, models, ffmpeg }: Omit<FaceFollower, 'video'>) {
  const { video } = tracks
  if (!video || !models.has('find-faces')) return undefined
  return (room: CropRoom, windows: readonly Segment[], signal: AbortSignal) =>
    followFaces({ tracks, video, models, ffmpeg }, room, windows, signal)
}

/** Faces are looked for this often, and in the first frame of each shot. */
const lookSeconds = 0.4
/** A film has at most one cut in this time: flicker and flashes are no shots of their own, and bound the looks to 7.5 a second. */
const shotSeconds = 0.2
/** At most this many frames a second are compared to find cuts. In slower films every frame is, so that the crop jumps exactly at a cut. */
const maxFramesPerSecond = 60
/** The model sees 256 × 256 pixels. */
const lookedAtPixels = 256 * 144

/** The path of a crop through ascending windows: it keeps faces inside, and keeps to the centre where no face is shown. Empty if no window shows a face. */
async function followFaces(
  follower: FaceFollower,
  room: CropRoom,
  windows: readonly Segment[],
  signal: AbortSignal,
): Promise<CropPoint[]> {
  const paths: CropPoint[][] = []
  let hasFace = false
  for (const window of windows) {
    const seen = await lookAtFaces(follower, room, window, signal)
    hasFace ||= seen.some(({ centre }) => centre !== undefined)
    paths.push(await smoothPath(seen, room, window))
  }
  return hasFace ? paths.flat() : []
}

/** Looks at frames for cuts, and at some of them for faces. */
async function lookAtFaces(
  { tracks, video, ffmpeg, models }: FaceFollower,
  room: CropRoom,
  window: Segment,
  signal: AbortSignal,
): Promise<LookedAt[]> {
  const { input, originSeconds } = tracks
  const start = Math.max(0, window.start - reachSeconds)
  const end = window.end + reachSeconds
  const size = sizeWithin(video.shown, lookedAtPixels)
  const parse = frameParser(size.width * size.height * 3)
  const seen: LookedAt[] = []
  let before: { readonly fingerprint: Fingerprint; readonly slot: number } | undefined
  let cutSlot: number | undefined
  const look = async (seconds: number, picture: Picture) => {
    const fingerprint = fingerprintOf(picture)
    const [slot, shotSlot] = [Math.floor(seconds / lookSeconds), Math.floor(seconds / shotSeconds)]
    const isCut = before !== undefined && differenceOf(before.fingerprint, fingerprint) > cutDifference
    const beginsShot = isCut && shotSlot !== cutSlot
    if (beginsShot) cutSlot = shotSlot
    const isLookedAt = beginsShot || slot !== before?.slot
    before = { fingerprint, slot }
    if (!isLookedAt) return
    const centre = centreOfFaces(await models.run('find-faces', picture), room)
    seen.push({ seconds, centre, beginsShot })
  }
  await ffmpeg.run({
    ...{ input, signal, deadlineSeconds: lookingDeadline({ start, end }) },
    inputOptions: seekOptions(seekBefore(start)),
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-an', '-sn', '-dn'],
      '-filter:v',
      [
        `trim=start=${(start + originSeconds).toFixed(6)}:end=${(end + originSeconds).toFixed(6)}`,
        `select='not(eq(round(t*${maxFramesPerSecond}),round(prev_selected_t*${maxFramesPerSecond})))'`,
        ...[`scale=${size.width}:${size.height}:flags=area`, ...toneMapFilters(video.colour), 'format=rgb24'],
      ].join(','),
      ...['-fps_mode', 'passthrough', '-c:v', 'rawvideo', ...timedFrameOptions],
    ],
    output: async (chunk) => {
      for (const { seconds, bytes } of parse(chunk)) await look(seconds - originSeconds, { ...size, rgb: bytes })
    },
    pixels: video.width * video.height,
  })
  return seen
}

// The path of a crop that follows faces. Each point depends only on what is seen within `reachSeconds`, so that pieces of a film
// that are made on different machines have paths that meet.

/** What a frame shows. */
export interface LookedAt {
  /** On the media's clock. */
  readonly seconds: number
  /** Where the crop should be centred, 0 to 1. Undefined without a face. */
  readonly centre: number | undefined
  /** Its picture is another than the one before: a cut. */
  readonly beginsShot: boolean
}

/** The median of so much on both sides: a face that is missed or imagined in one frame moves nothing. */
const medianSeconds = 0.8
/** For as long after or before a face, the crop stays where it was. */
const holdSeconds = 4
/** Moves begin and end this gently. */
const easeSeconds = 0.6
/** The path is known at multiples of this. */
const stepSeconds = 0.2
/** Smaller motions than this part of the picture do not move the crop. */
const steps = 32

/** What is looked at before and after a window. */
export const reachSeconds = holdSeconds + easeSeconds + stepSeconds

/**
 * The centre of the crop that has the most of the faces wholly inside. If several have about the same, the first from the left or
 * the top, so that the crop does not swing between two people.
 */
export function centreOfFaces(faces: readonly Face[], { along, share }: CropRoom): number | undefined {
  const spans = faces
    .filter(({ score }) => score >= sureFaceScore)
    .map((face) => {
      const [from, length] = along === 'x' ? [face.x, face.width] : [face.y, face.height]
      return { from, to: from + length, area: face.width * face.height }
    })
    .toSorted((a, b) => a.from - b.from)
  const groups = spans.map(({ from, to }) => {
    const inside = spans.filter((span) => span.from >= from && span.to <= from + Math.max(share, to - from))
    const end = Math.max(...inside.map((span) => span.to))
    return { centre: (from + end) / 2, area: inside.reduce((sum, { area }) => sum + area, 0) }
  })
  const most = Math.max(...groups.map(({ area }) => area))
  return groups.find(({ area }) => area >= most * aboutTheSame)?.centre
}

const aboutTheSame = 0.7

/**
 * The path through a window and a little more, from frames in order. Without a face the crop keeps to the centre. Other work has its
 * turns meanwhile.
 */
export async function smoothPath(
  seen: readonly LookedAt[],
  { share }: CropRoom,
  { start, end }: Segment,
): Promise<CropPoint[]> {
  const window = { start: atStep(Math.floor(start / stepSeconds)), end: atStep(Math.ceil(end / stepSeconds)) }
  const turns = startTurns()
  const points: CropPoint[] = []
  for (const { faces, ...shot } of shotsOf(seen)) {
    const part = { start: Math.max(shot.start, window.start), end: Math.min(shot.end, window.end) }
    if (part.end <= part.start) continue
    for (const seconds of timesIn(part)) {
      points.push({ seconds, at: placeOf(easedCentre(faces, seconds, shot), share) })
      if (turns.isDue()) await turns.next()
    }
  }
  return points.filter((point, index) => !isBetween(point, points[index - 1], points[index + 1]))
}

interface Shot extends Segment {
  readonly faces: SeenFace[]
}

/** The shots that frames in order show, the first and the last without a bound. */
function shotsOf(seen: readonly LookedAt[]): Shot[] {
  let shot: Shot = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY, faces: [] }
  const shots = [shot]
  for (const { seconds, centre, beginsShot } of seen) {
    if (beginsShot) {
      shots[shots.length - 1] = { ...shot, end: seconds }
      shot = { start: seconds, end: Number.POSITIVE_INFINITY, faces: [] }
      shots.push(shot)
    }
    if (centre !== undefined) shot.faces.push({ seconds, centre })
  }
  return shots
}

interface SeenFace {
  readonly seconds: number
  readonly centre: number
}

function atStep(count: number): number {
  return count * stepSeconds
}

/** The ends of a part of a shot, and the multiples of the step that are at least a step from both. */
function timesIn({ start, end }: Segment): number[] {
  const first = Math.ceil(start / stepSeconds) + 1
  const count = Math.max(0, Math.floor(end / stepSeconds) - first)
  return [start, ...Array.from({ length: count }, (_, index) => atStep(first + index)), end]
}

/** The mean of the centres around a moment of a shot, of which the nearest count most. */
function easedCentre(faces: readonly SeenFace[], seconds: number, shot: Segment): number {
  let [sum, total] = [0, 0]
  const around = Math.round(easeSeconds / stepSeconds)
  for (let step = -around; step <= around; step += 1) {
    const weight = around + 1 - Math.abs(step)
    const at = Math.min(shot.end, Math.max(shot.start, seconds + step * stepSeconds))
    sum += weight * centreAt(faces, at)
    total += weight
  }
  return sum / total
}

function centreAt(faces: readonly SeenFace[], seconds: number): number {
  const distance = (face: SeenFace) => Math.abs(face.seconds - seconds)
  const held = faces.slice(
    lowerBound(faces, (face) => face.seconds < seconds - holdSeconds),
    lowerBound(faces, (face) => face.seconds <= seconds + holdSeconds),
  )
  const close = held.filter((face) => distance(face) <= medianSeconds)
  if (close.length > 0) {
    const sorted = close.map(({ centre }) => centre).toSorted((a, b) => a - b)
    return Math.round((sorted[sorted.length >> 1] ?? 0.5) * steps) / steps
  }
  const [nearest] = held.toSorted((a, b) => distance(a) - distance(b))
  return nearest ? Math.round(nearest.centre * steps) / steps : 0.5
}

/** Where the crop lies in its room, if it is centred there as far as it fits. */
function placeOf(centre: number, share: number): number {
  return Math.min(1, Math.max(0, (centre - share / 2) / (1 - share)))
}

/** Whether a path without the point is the same. */
function isBetween(point: CropPoint, before: CropPoint | undefined, after: CropPoint | undefined): boolean {
  if (!before || !after || after.seconds <= before.seconds) return false
  if (point.seconds <= before.seconds || point.seconds >= after.seconds) return false
  const passed = (point.seconds - before.seconds) / (after.seconds - before.seconds)
  return Math.abs(before.at + (after.at - before.at) * passed - point.at) < 1e-6
}

/** A point of a picture, whose width and height count as 1. */
interface Point {
  readonly x: number
  readonly y: number
}

/** Where people look first: the middle of the faces, of which larger ones count more. Without faces, the middle of the detail. */
export function pointOfInterest(picture: Picture, faces: readonly Face[]): Point {
  const sure = faces.filter(({ score }) => score >= sureFaceScore)
  const points = sure.length > 0 ? sure.map(centreOf) : detailIn(picture)
  const total = points.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return { x: 0.5, y: 0.5 }
  const mean = (along: 'x' | 'y') => {
    const sum = points.reduce((added, point) => added + point[along] * point.weight, 0)
    return Math.min(1, Math.max(0, sum / total))
  }
  return { x: mean('x'), y: mean('y') }
}

type WeightedPoint = Point & { readonly weight: number }

function centreOf({ x, y, width, height }: Face): WeightedPoint {
  return { x: x + width / 2, y: y + height / 2, weight: width * height }
}

const block = 16

/** The blocks of a picture, weighted by the square of their detail, so that a subject counts more than a pattern all over. */
function detailIn(picture: Picture): WeightedPoint[] {
  const { width, height } = picture
  const luma = lumaOf(picture)
  const [columns, rows] = [Math.ceil(width / block), Math.ceil(height / block)]
  const detail = new Float64Array(columns * rows)
  for (let y = 0; y < height - 1; y += 1)
    for (let x = 0; x < width - 1; x += 1) {
      const at = y * width + x
      const value = luma[at] ?? 0
      const cell = Math.floor(y / block) * columns + Math.floor(x / block)
      detail[cell] =
        (detail[cell] ?? 0) + Math.abs((luma[at + 1] ?? 0) - value) + Math.abs((luma[at + width] ?? 0) - value)
    }
  return Array.from(detail, (sum, cell) => ({
    x: (((cell % columns) + 0.5) * block) / width,
    y: ((Math.floor(cell / columns) + 0.5) * block) / height,
    weight: sum ** 2,
  }))
}

export interface Crop extends Size {
  readonly left: number
  readonly top: number
}

/**
 * The largest part of a picture with this shape, as near around the point as it fits. All its numbers are even, as JPEG stores
 * colour for pairs of pixels.
 */
export function cropAround(point: Point, { width, height }: Size, shape: number): Crop {
  const across = Math.max(2, even(Math.min(width, height * shape)))
  const down = Math.max(2, even(Math.min(height, width / shape)))
  return {
    left: even(Math.min(width - across, Math.max(0, point.x * width - across / 2))),
    top: even(Math.min(height - down, Math.max(0, point.y * height - down / 2))),
    width: across,
    height: down,
  }
}

function even(pixels: number): number {
  return 2 * Math.floor(pixels / 2)
}
