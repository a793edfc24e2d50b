/** The value of `num/den`; 0 if it is not a finite number. */
export function ratio(text: string): number {
  const [numerator, denominator = 1] = text.split('/').map(Number)
  const value = (numerator ?? 0) / denominator
  return Number.isFinite(value) ? value : 0
}

/** WebM rounds frame times to the millisecond, on both sides of an interval. */
const roundingSeconds = 0.0025

/**
 * Whether some frames are shown for longer than others. Judged by the times of the first frames, in any order, and by the
 * average rate of the whole file, which differs if later frames do.
 */
export function hasUnevenFrames(frameTimes: readonly number[], averageRate: number): boolean {
  const times = frameTimes.toSorted((a, b) => a - b)
  // The last frames of a sample can lack a neighbour that is stored later.
  const steps = times.slice(1, -3).map((time, index) => time - (times[index] ?? time))
  if (steps.length < 2) return false
  const sorted = steps.toSorted((a, b) => a - b)
  const median = sorted[sorted.length >> 1] ?? 0
  const spread = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
  if (spread > Math.max(roundingSeconds, median / 10)) return true
  return averageRate > 0 && median > roundingSeconds * 4 && Math.abs(averageRate * median - 1) > 0.02
}
