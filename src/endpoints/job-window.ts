import { ServiceError } from '../core/errors.ts'
import type { Segment } from '../core/segments.ts'

/** A job's top-level start and end in seconds; null where the caller left them out or blank. */
export interface JobWindow {
  readonly startSeconds: number | null
  readonly endSeconds: number | null
}

/** Containers round their length, so a time this little past the end still means the end. */
const toleranceSeconds = 0.1

/** The stretch of media that a window names; `invalid_request` where it lies past the end of the media. */
export function resolveWindow({ startSeconds, endSeconds }: JobWindow, mediaSeconds: number): Segment {
  const start = startSeconds ?? 0
  const end = endSeconds ?? mediaSeconds
  if (start >= mediaSeconds) throw pastTheEnd('start', start, mediaSeconds, 'Choose an earlier one.')
  if (end > mediaSeconds + toleranceSeconds) {
    throw pastTheEnd('end', end, mediaSeconds, 'Leave end out for the end of the media.')
  }
  return { start, end: Math.min(end, mediaSeconds) }
}

export function pastTheEnd(field: string, seconds: number, mediaSeconds: number, advice: string): ServiceError {
  return new ServiceError(
    'invalid_request',
    `${field} ${seconds} lies past the end of the media (${mediaSeconds.toFixed(3)} s). ${advice}`,
  )
}

/** Whole milliseconds of a window, rounded up; undefined while its end is the media's and that is not known. */
export function windowMilliseconds(window: JobWindow, mediaSeconds: number | undefined): number | undefined {
  const end = mediaSeconds === undefined ? window.endSeconds : Math.min(window.endSeconds ?? mediaSeconds, mediaSeconds)
  if (end === null) return undefined
  return Math.max(0, Math.ceil((end - (window.startSeconds ?? 0)) * 1000 - 1e-6))
}
