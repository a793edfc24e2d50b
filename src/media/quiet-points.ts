import { clampTo, durationOf, normalize, type Segment } from '../core/segments.ts'
import type { EnergyWindows } from './envelope/energy.ts'

/** A cut keeps this far from the sound on either side, where the quiet stretch is long enough. */
const marginSeconds = 0.05

/** The point of the quiet stretches that is nearest to `asked`, inside `reach`; undefined where none reaches in. */
export function nearestQuietPoint(quiet: readonly Segment[], asked: number, reach: Segment): number | undefined {
  const points = clampTo(normalize(quiet), reach).map((stretch) => {
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

/** The first of the nearest ones. */
export function nearest(points: readonly number[], asked: number): number | undefined {
  return points.reduce<number | undefined>(
    (best, point) => (best === undefined || Math.abs(point - asked) < Math.abs(best - asked) ? point : best),
    undefined,
  )
}
