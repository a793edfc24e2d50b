import { lowerBound, medianOf } from '../../core/many-numbers.ts'
import type { CropPoint, CropRoom, FocusPoint } from '../../core/picture.ts'
import type { Segment } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import type { Box } from '../../models/models.ts'

// The path of a crop that follows something. Each point depends only on what is seen within `reachSeconds`, so that pieces of a film
// that are made on different machines have paths that meet.

/** What a frame shows. */
export interface LookedAt {
  /** On the media's clock. */
  readonly seconds: number
  /** Where the crop should be centred, 0 to 1. Undefined if the subject is not shown. */
  readonly centre: number | undefined
  /** Its picture is another than the one before: a cut. */
  readonly beginsShot: boolean
  /** A line of text is longer than the crop. */
  readonly cutsText?: boolean
}

/** The median of so much on both sides: what is missed or imagined in one frame moves nothing. */
const medianSeconds = 0.8
/** For as long after or before the subject, the crop stays where it was. */
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
 * The centre of the crop that has the most of the parts wholly inside. If several have about the same, the first from the left or
 * the top, so that the crop does not swing between two people.
 */
export function centreOfBoxes(boxes: readonly Box[], { along, share }: CropRoom): number | undefined {
  const spans = boxes
    .map((box) => {
      const [from, length] = along === 'x' ? [box.x, box.width] : [box.y, box.height]
      return { from, to: from + length, area: box.width * box.height }
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
 * The path through a window and a little more, from frames in order. Without a subject the crop keeps to the centre. Other work has its
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
  for (const { centres, ...shot } of shotsOf(seen)) {
    const part = { start: Math.max(shot.start, window.start), end: Math.min(shot.end, window.end) }
    if (part.end <= part.start) continue
    for (const seconds of timesIn(part)) {
      points.push({ seconds, at: placeOf(easedCentre(centres, seconds, shot), share) })
      if (turns.isDue()) await turns.next()
    }
  }
  return points.filter((point, index) => !isBetween(point, points[index - 1], points[index + 1]))
}

interface Shot extends Segment {
  readonly centres: SeenCentre[]
}

/** The shots that frames in order show, the first and the last without a bound. */
function shotsOf(seen: readonly LookedAt[]): Shot[] {
  let shot: Shot = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY, centres: [] }
  const shots = [shot]
  for (const { seconds, centre, beginsShot } of seen) {
    if (beginsShot) {
      shots[shots.length - 1] = { ...shot, end: seconds }
      shot = { start: seconds, end: Number.POSITIVE_INFINITY, centres: [] }
      shots.push(shot)
    }
    if (centre !== undefined) shot.centres.push({ seconds, centre })
  }
  return shots
}

interface SeenCentre {
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
function easedCentre(centres: readonly SeenCentre[], seconds: number, shot: Segment): number {
  let [sum, total] = [0, 0]
  const around = Math.round(easeSeconds / stepSeconds)
  for (let step = -around; step <= around; step += 1) {
    const weight = around + 1 - Math.abs(step)
    const at = Math.min(shot.end, Math.max(shot.start, seconds + step * stepSeconds))
    sum += weight * centreAt(centres, at)
    total += weight
  }
  return sum / total
}

function centreAt(centres: readonly SeenCentre[], seconds: number): number {
  const distance = (centre: SeenCentre) => Math.abs(centre.seconds - seconds)
  const held = centres.slice(
    lowerBound(centres, (each) => each.seconds < seconds - holdSeconds),
    lowerBound(centres, (each) => each.seconds <= seconds + holdSeconds),
  )
  const close = held.filter((each) => distance(each) <= medianSeconds)
  const nearest = () => held.toSorted((a, b) => distance(a) - distance(b))[0]?.centre
  const centre = medianOf(close.map((each) => each.centre)) ?? nearest() ?? 0.5
  return Math.round(centre * steps) / steps
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

/** The path through a window that keeps to these points in their stretches, and jumps there and back. */
export function holdAt(
  path: readonly CropPoint[],
  points: readonly FocusPoint[],
  { along, share }: CropRoom,
  window: Segment,
): readonly CropPoint[] {
  return points.reduce((held, point) => {
    const start = Math.max(point.start, window.start - stepSeconds)
    const end = Math.min(point.end, window.end + stepSeconds)
    if (end <= start) return held
    const at = placeOf(point[along], share)
    return [
      ...held.filter(({ seconds }) => seconds < start),
      { seconds: start, at: placeBefore(held, start) },
      ...[start, end].map((seconds) => ({ seconds, at })),
      { seconds: end, at: placeAt(held, end) },
      ...held.filter(({ seconds }) => seconds > end),
    ]
  }, path)
}

/** Where the crop lies from a moment on: a path extends beyond its ends. */
function placeAt(path: readonly CropPoint[], seconds: number): number {
  return placeBetween(
    path,
    lowerBound(path, (point) => point.seconds <= seconds),
    seconds,
  )
}

/** Where it lies just before: the same, but for jumps. */
function placeBefore(path: readonly CropPoint[], seconds: number): number {
  return placeBetween(
    path,
    lowerBound(path, (point) => point.seconds < seconds),
    seconds,
  )
}

/** `next` is the index of the point after the moment. */
function placeBetween(path: readonly CropPoint[], next: number, seconds: number): number {
  const [before, after] = [path[next - 1] ?? path[next], path[next] ?? path[next - 1]]
  if (!before || !after) return 0.5
  const length = after.seconds - before.seconds
  return length > 0 ? before.at + ((after.at - before.at) * (seconds - before.seconds)) / length : before.at
}
