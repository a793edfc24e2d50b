import type { JobWindow, Segment } from '../../core/segments.ts'
import { momentsIn, pastTheEnd } from '../parse-settings.ts'

/** Each frame is billed as a second of media. */
export const billedMillisecondsPerFrame = 1000

interface FrameSettings {
  readonly times?: readonly (number | string)[] | undefined
}

/** The moments of the frames to score, from `start` or `settings.times`. Undefined if an earlier job has them. */
export function timesOf(window: JobWindow, { times }: FrameSettings): number[] | undefined {
  return momentsIn(window, times, 'times')
}

/** Seconds after a moment that are read with it, for frames that are stored after those that they depend on. */
const readSeconds = 1

/** The stretches that are read. Throws `invalid_request` for a moment past the end of the media. */
export function stretchesOf(times: readonly number[], mediaSeconds: number): Segment[] {
  return times.map((start) => {
    if (start >= mediaSeconds) throw pastTheEnd('time', start, mediaSeconds, 'Choose an earlier one.')
    return { start, end: Math.min(mediaSeconds, start + readSeconds) }
  })
}
