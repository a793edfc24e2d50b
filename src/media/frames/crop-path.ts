import { lowerBound, medianOf } from '../../core/many-numbers.ts'
import type { CropFollows, CropPoint, CropRoom, CropSubject, FocusPoint } from '../../core/picture.ts'
import type { Segment } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import type { Box } from '../../models/models.ts'

// The path of a crop that follows something. Each point depends only on what is seen within `reachSeconds`, so that pieces of a film
// that are made on different machines have paths that meet.

/** What a frame shows of a subject. */
export interface LookedAt {
  readonly subject: CropSubject
  /** On the media's clock. */
  readonly seconds: number
  /** Where the crop should be centred, 0 to 1. Undefined if the subject is not shown. */
  readonly centre: number | undefined
  /** Its picture is another than the one before: a cut. */
  readonly beginsShot: boolean
  /** A line of text is longer than the crop. */
  readonly cutsText?: boolean | undefined
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
/** The crop stays where it is while what moves does so within this part of it. */
const deadPart = 0.5
/** Slides that change move once, and the times of text are inexact: of these, most frames nearby must show the same. */
const mustLast: ReadonlySet<CropSubject> = new Set(['motion', 'text'])

/** What decides how a crop moves at a moment, before and after it. */
export const easeReachSeconds = easeSeconds + stepSeconds
/** What is looked at before and after a window. */
export const reachSeconds = holdSeconds + easeReachSeconds + medianSeconds

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
 * The path through a window and a little more, from frames in order. It follows the first of the subjects that is shown; without any, the
 * crop keeps to the centre. Other work has its turns meanwhile.
 */
export async function smoothPath(
  seen: readonly LookedAt[],
  { share }: CropRoom,
  { start, end }: Segment,
  subjects: readonly CropSubject[],
): Promise<CropPoint[]> {
  const window = { start: atStep(Math.floor(start / stepSeconds)), end: atStep(Math.ceil(end / stepSeconds)) }
  const turns = startTurns()
  const points: CropPoint[] = []
  for (const { looks, ...shot } of shotsOf(seen)) {
    const part = { start: Math.max(shot.start, window.start), end: Math.min(shot.end, window.end) }
    if (part.end <= part.start) continue
    const layers = subjects.map((subject) => ({ subject, seen: centresOf(subject, looks) }))
    for (const seconds of timesIn(part)) {
      const { follows, cutsText } = followedAt(layers, seconds, share)
      const at = placeOf(easedCentre(layers, seconds, { shot, share }), share)
      points.push({ seconds, at, follows, ...(cutsText ? { cutsText } : {}) })
      if (turns.isDue()) await turns.next()
    }
  }
  return points.filter((point, index) => !isBetween(point, points[index - 1], points[index + 1]))
}

interface Shot extends Segment {
  readonly looks: LookedAt[]
}

/** The shots that frames in order show, the first and the last without a bound. */
function shotsOf(seen: readonly LookedAt[]): Shot[] {
  let shot: Shot = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY, looks: [] }
  const shots = [shot]
  for (const look of seen) {
    if (look.beginsShot) {
      shots[shots.length - 1] = { ...shot, end: look.seconds }
      shot = { start: look.seconds, end: Number.POSITIVE_INFINITY, looks: [] }
      shots.push(shot)
    }
    shot.looks.push(look)
  }
  return shots
}

interface SeenCentre extends Pick<LookedAt, 'seconds' | 'cutsText'> {
  readonly centre: number
}

/** Where a shot shows the subject. */
function centresOf(subject: CropSubject, all: readonly LookedAt[]): SeenCentre[] {
  const looks = all.filter((look) => look.subject === subject)
  return looks.flatMap(({ seconds, centre, cutsText }) => {
    if (centre === undefined) return []
    if (mustLast.has(subject)) {
      const near = within(looks, seconds, medianSeconds)
      if (near.filter((look) => look.centre !== undefined).length * 2 <= near.length) return []
    }
    return [{ seconds, centre, cutsText }]
  })
}

/** Those of a list in order that are at most so far from a moment. */
function within<Timed extends { readonly seconds: number }>(
  all: readonly Timed[],
  seconds: number,
  reach: number,
): Timed[] {
  return all.slice(
    lowerBound(all, (each) => each.seconds < seconds - reach),
    lowerBound(all, (each) => each.seconds <= seconds + reach),
  )
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
function easedCentre(
  layers: readonly Layer[],
  seconds: number,
  { shot, share }: { readonly shot: Segment; readonly share: number },
): number {
  let [sum, total] = [0, 0]
  const around = Math.round(easeSeconds / stepSeconds)
  for (let step = -around; step <= around; step += 1) {
    const weight = around + 1 - Math.abs(step)
    const at = Math.min(shot.end, Math.max(shot.start, seconds + step * stepSeconds))
    sum += weight * followedAt(layers, at, share).centre
    total += weight
  }
  return sum / total
}

interface Layer {
  readonly subject: CropSubject
  readonly seen: readonly SeenCentre[]
}

interface Followed {
  readonly follows: CropFollows
  readonly centre: number
  readonly cutsText?: true | undefined
}

/** What is followed at a moment of a shot, and where it is: the first subject that is shown nearby. */
function followedAt(layers: readonly Layer[], seconds: number, share: number): Followed {
  for (const { subject, seen } of layers) {
    const held = within(seen, seconds, holdSeconds)
    if (held.length === 0) continue
    const close = within(held, seconds, medianSeconds)
    const nearest = held.reduce((best, each) =>
      Math.abs(each.seconds - seconds) < Math.abs(best.seconds - seconds) ? each : best,
    )
    const still = subject === 'motion' ? middleOf(held, share * deadPart) : undefined
    const centre = still ?? medianOf(close.map((each) => each.centre)) ?? nearest.centre
    return {
      follows: subject,
      centre: Math.round(centre * steps) / steps,
      cutsText: close.some(({ cutsText }) => cutsText) || undefined,
    }
  }
  return { follows: 'centre', centre: 0.5 }
}

/** The middle of centres that are at most so far apart. */
function middleOf(seen: readonly SeenCentre[], length: number): number | undefined {
  const centres = seen.map(({ centre }) => centre)
  const [least, most] = [Math.min(...centres), Math.max(...centres)]
  return most - least <= length ? (least + most) / 2 : undefined
}

/** Where the crop lies in its room, if it is centred there as far as it fits. */
function placeOf(centre: number, share: number): number {
  return Math.min(1, Math.max(0, (centre - share / 2) / (1 - share)))
}

/** Whether a path without the point is the same. */
function isBetween(point: CropPoint, before: CropPoint | undefined, after: CropPoint | undefined): boolean {
  if (!before || !after || after.seconds <= before.seconds) return false
  if (point.seconds <= before.seconds || point.seconds >= after.seconds) return false
  if (point.follows !== before.follows || point.cutsText !== before.cutsText) return false
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
      { ...pointBefore(held, start), seconds: start, at: placeBefore(held, start) },
      ...[start, end].map((seconds) => ({ seconds, at, follows: 'point' as const })),
      { ...pointBefore(held, end), seconds: end, at: placeAt(held, end) },
      ...held.filter(({ seconds }) => seconds > end),
    ]
  }, path)
}

/** What says what is followed at a moment. */
function pointBefore(path: readonly CropPoint[], seconds: number): Pick<CropPoint, 'follows' | 'cutsText'> {
  const next = lowerBound(path, (point) => point.seconds <= seconds)
  return path[next - 1] ?? path[next] ?? { follows: 'centre' }
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
