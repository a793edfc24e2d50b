import { clampTo, complement, dropShorterThan, durationOf, intersect, type Segment } from '../../core/segments.ts'
import type { EnergyWindows } from '../sound/energy.ts'

/** A cut keeps this distance from the sound on either side if the stretch is long enough. */
const quietMarginSeconds = 0.05
/** In noise, a model detects the soft ends of words late or not at all. */
const pauseMarginSeconds = 0.15
/** Shorter stretches leave no room for a cut. */
const minStretchSeconds = 0.04

export interface CutPoint {
  readonly seconds: number
  readonly isQuiet: boolean
}

/**
 * The point inside `reach` where a cut is least audible; of equally good points, the one nearest to `asked`. A point that is
 * quiet and outside speech is best, then one outside speech, then a quiet one. Undefined if there is no such point, or if there
 * is neither speech nor quiet.
 */
export function nearestCutPoint(
  { speech, quiet }: Readonly<Record<'speech' | 'quiet', readonly Segment[]>>,
  asked: number,
  reach: Segment,
): CutPoint | undefined {
  const pauses = complement(speech, reach)
  const point = (stretches: readonly Segment[], marginSeconds: number) =>
    nearestIn(dropShorterThan(clampTo(stretches, reach), minStretchSeconds), marginSeconds, asked)
  const quietPoint = point(intersect(quiet, pauses), quietMarginSeconds)
  if (quietPoint !== undefined) return { seconds: quietPoint, isQuiet: true }
  const pausePoint = speech.length > 0 ? point(pauses, pauseMarginSeconds) : undefined
  if (pausePoint !== undefined) return { seconds: pausePoint, isQuiet: false }
  const within = point(quiet, quietMarginSeconds)
  return within === undefined ? undefined : { seconds: within, isQuiet: true }
}

function nearestIn(stretches: readonly Segment[], marginSeconds: number, asked: number): number | undefined {
  const points = stretches.map((stretch) => {
    const margin = Math.min(marginSeconds, durationOf(stretch) / 2)
    return Math.min(Math.max(asked, stretch.start + margin), stretch.end - margin)
  })
  return nearest(points, asked)
}

/** The middle of the quietest measured window; windows count from `startSeconds`. */
export function quietestPoint(
  { power }: EnergyWindows,
  windowSeconds: number,
  startSeconds: number,
): number | undefined {
  if (power.length === 0) return undefined
  const quietest = power.reduce((best, value, index) => (value < (power[best] ?? 0) ? index : best), 0)
  return startSeconds + (quietest + 0.5) * windowSeconds
}

/** The point nearest to `asked`; the first if several are equally near. */
export function nearest(points: readonly number[], asked: number): number | undefined {
  return points.reduce<number | undefined>(
    (best, point) => (best === undefined || Math.abs(point - asked) < Math.abs(best - asked) ? point : best),
    undefined,
  )
}
