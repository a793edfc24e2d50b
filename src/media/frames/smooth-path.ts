import { lowerBound } from '../../core/binary-search.ts'
import type { CropPoint, CropRoom } from '../../core/picture.ts'
import type { Segment } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import type { Face } from '../../models/find-faces/faces.ts'
import { sureFaceScore } from './frame-quality.ts'

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
