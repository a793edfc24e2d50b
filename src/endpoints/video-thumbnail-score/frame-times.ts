import type { Segment } from '../../core/segments.ts'
import { pastTheEnd } from '../parse-settings.ts'

/** Each frame is billed as a second of media. */
export const billedMillisecondsPerFrame = 1000

/** Seconds after a moment that are read with it, for frames that are stored after those that they depend on. */
const readSeconds = 1

/** The stretches that are read. Throws `invalid_request` for a moment past the end of the media. */
export function stretchesOf(times: readonly number[], mediaSeconds: number): Segment[] {
  return times.map((start) => {
    if (start >= mediaSeconds) throw pastTheEnd('time', start, mediaSeconds, 'Choose an earlier one.')
    return { start, end: Math.min(mediaSeconds, start + readSeconds) }
  })
}
