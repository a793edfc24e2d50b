import { makeNumbers } from '../../core/many-numbers.ts'
import { toDbfs } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import { mapInTurns, startTurns } from '../../core/turns.ts'
import type { EnergyWindows } from './energy.ts'

export interface LoudSegment extends Segment {
  /** RMS level over the segment. */
  readonly meanDb: number
  readonly peakDb: number
}

export interface LoudnessOptions {
  readonly windowSeconds: number
  /** Measured length; the last window ends here. */
  readonly totalSeconds: number
  /** RMS levels, linear: a window at or above `startAmplitude` starts a segment, and a window below `endAmplitude` ends it. */
  readonly startAmplitude: number
  readonly endAmplitude: number
  readonly minSegmentSeconds: number
}

/** Segments that start above one level and end below another, in seconds from the first window. */
export async function findLoudSegments(
  { power, peak }: EnergyWindows,
  options: LoudnessOptions,
): Promise<LoudSegment[]> {
  const turns = startTurns()
  const { windowSeconds, totalSeconds, minSegmentSeconds } = options
  const startPower = options.startAmplitude ** 2
  const endPower = options.endAmplitude ** 2
  const segments: LoudSegment[] = []
  let first: number | undefined
  let [sum, highest] = [0, 0]
  const endBefore = (window: number) => {
    if (first === undefined) return
    const start = first * windowSeconds
    const end = Math.min(window * windowSeconds, totalSeconds)
    const mean = sum / (window - first)
    if (end - start >= minSegmentSeconds)
      segments.push({ start, end, meanDb: toDbfs(Math.sqrt(mean)), peakDb: toDbfs(highest) })
    first = undefined
    sum = 0
    highest = 0
  }
  for (let window = 0; window < power.length; window++) {
    const value = power[window] ?? 0
    if (first === undefined && value >= startPower) first = window
    else if (first !== undefined && value < endPower) endBefore(window)
    if (first !== undefined) {
      sum += value
      highest = Math.max(highest, peak[window] ?? 0)
    }
    if (turns.isDue()) await turns.next()
  }
  endBefore(power.length)
  return segments
}

/**
 * The `count` segments with the highest mean level, in the order of time. Of segments with equal levels, the one with the
 * higher peak comes first, then the earlier one.
 */
export function loudestSegments(segments: readonly LoudSegment[], count: number): LoudSegment[] {
  return segments
    .toSorted((a, b) => b.meanDb - a.meanDb || b.peakDb - a.peakDb || a.start - b.start)
    .slice(0, count)
    .toSorted((a, b) => a.start - b.start)
}

/** The loudest track in every window, for tracks that were measured with the same windows. */
export async function loudestOf(tracks: readonly EnergyWindows[]): Promise<EnergyWindows> {
  const length = Math.max(0, ...tracks.map(({ power }) => power.length))
  const loudest = (read: (track: EnergyWindows) => Float64Array) =>
    makeNumbers(length, (window) => tracks.reduce((most, track) => Math.max(most, read(track)[window] ?? 0), 0))
  return { power: await loudest(({ power }) => power), peak: await loudest(({ peak }) => peak) }
}

/** At most `maxPoints` RMS levels for drawing, each over the same number of windows. */
export async function drawEnvelope(
  { power }: EnergyWindows,
  maxPoints: number,
): Promise<{ windowsPerPoint: number; rmsDb: number[] }> {
  const windowsPerPoint = Math.max(1, Math.ceil(power.length / maxPoints))
  const points = Array.from({ length: Math.ceil(power.length / windowsPerPoint) }, (_, point) => point)
  const rmsDb = await mapInTurns(points, (point) => {
    const windows = power.subarray(point * windowsPerPoint, (point + 1) * windowsPerPoint)
    return toDbfs(Math.sqrt(windows.reduce((sum, value) => sum + value, 0) / windows.length))
  })
  return { windowsPerPoint, rmsDb }
}
