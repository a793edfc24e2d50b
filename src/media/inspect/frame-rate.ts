/** The value of `num/den`; 0 if it is not a finite number. */
export function ratio(text: string): number {
  const [numerator, denominator = 1] = text.split('/').map(Number)
  const value = (numerator ?? 0) / denominator
  return Number.isFinite(value) ? value : 0
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
export function nominalRate(
  frameTimes: readonly number[],
  { averageRate, baseRate, hasVariableFrameRate }: RatesOfTrack,
): number {
  if (!hasVariableFrameRate) return averageRate
  if (baseRate > 0 && baseRate <= maxNominalRate && baseRate !== averageRate) return baseRate
  const times = frameTimes.toSorted((a, b) => a - b)
  const steps = times
    .slice(1)
    .map((time, index) => time - (times[index] ?? time))
    .filter((step) => step > 1 / maxNominalRate)
    .toSorted((a, b) => a - b)
  const shortest = steps[Math.floor(steps.length / 10)]
  if (shortest === undefined) return averageRate
  const alike = steps.filter((step) => Math.abs(step - shortest) <= roundingSeconds)
  return alike.length / alike.reduce((sum, step) => sum + step, 0)
}

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
