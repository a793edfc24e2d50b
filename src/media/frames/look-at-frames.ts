import type { Segment } from '../../core/segments.ts'
import { differenceOf, type Fingerprint, fingerprintOf } from './compare-pictures.ts'
import { measurePicture, type PictureMeasures } from './measure-picture.ts'
import type { SampledFrame } from './sample-frames.ts'

/** A sampled frame, measured and compared with those beside it. */
export interface SeenFrame {
  readonly frame: SampledFrame
  readonly seconds: number
  readonly measures: PictureMeasures
  readonly fingerprint: Fingerprint
  readonly motion: number
}

/** Frames further apart say nothing about motion. */
const maxStepSeconds = 0.6

/** Measures frames, given in order, one after another. */
export async function lookAtFrames(frames: readonly SampledFrame[], signal: AbortSignal): Promise<SeenFrame[]> {
  const seen: Omit<SeenFrame, 'motion'>[] = []
  for (const frame of frames) {
    signal.throwIfAborted()
    const picture = await frame.read()
    const { seconds } = frame
    seen.push({ frame, seconds, measures: measurePicture(picture), fingerprint: fingerprintOf(picture) })
  }
  return seen.map((each, index) => ({ ...each, motion: motionOf(each, [seen[index - 1], seen[index + 1]]) }))
}

/** The smaller difference, so that a cut beside a frame is no motion. */
function motionOf(
  { seconds, fingerprint }: Omit<SeenFrame, 'motion'>,
  others: readonly (Omit<SeenFrame, 'motion'> | undefined)[],
): number {
  const steps = others.flatMap((other) =>
    other && Math.abs(other.seconds - seconds) <= maxStepSeconds ? [differenceOf(fingerprint, other.fingerprint)] : [],
  )
  return steps.length > 0 ? Math.min(...steps) : 0
}

/** Pictures that differ more belong to two shots. Motion within a shot seldom reaches it. */
export const cutDifference = 20

/** The shots of frames in order: each ends where the picture is another. The last ends with the window. */
export function shotsOf(seen: readonly SeenFrame[], window: Segment): Segment[] {
  const cuts = seen.flatMap(({ seconds, fingerprint }, index) => {
    const before = seen[index - 1]
    return before && differenceOf(before.fingerprint, fingerprint) > cutDifference ? [seconds] : []
  })
  const starts = [window.start, ...cuts]
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? window.end }))
}

/** The shot of a moment. */
export function shotAt(shots: readonly Segment[], seconds: number): Segment {
  return shots.findLast(({ start }) => start <= seconds) ?? shots[0] ?? { start: seconds, end: seconds }
}
