import { type Segment, totalDuration } from '../../core/segments.ts'
import { ExceededLimit } from './exceeded-limit.ts'

/** Cameras record up to a thousand frames a second at their full speed. A clip is billed by its length, and made by its frames. */
const maxFrameRate = 1000

/** The most frames that ranges may show. Within a second, any times of frames are accepted. */
export function maxFramesOf(ranges: readonly Segment[]): number {
  const seconds = totalDuration(ranges)
  return Math.floor(maxFrameRate * Math.max(1, seconds))
}

/** Throws `ExceededLimit` if the ranges show too many frames for their length. */
export function assertFrameRate(frames: number, ranges: readonly Segment[]): void {
  if (frames > maxFramesOf(ranges)) throw tooDense()
}

/**
 * Returns a function that takes the time of each frame that is read until `endSeconds`, on the container's clock. It throws
 * `ExceededLimit` as soon as there are too many for the time from the first to the end, so that media of millions of frames is not read first.
 */
export function createFrameCounter(endSeconds: number): (seconds: number) => void {
  let [frames, max] = [0, 0]
  return (seconds) => {
    // A second more, because frames are stored out of order.
    if (frames === 0) max = maxFrameRate * (1 + Math.max(0, endSeconds - Math.max(0, seconds)))
    frames += 1
    if (frames > max) throw tooDense()
  }
}

function tooDense(): ExceededLimit {
  return new ExceededLimit(`The media has more than ${maxFrameRate} frames a second. Convert it to fewer.`)
}
