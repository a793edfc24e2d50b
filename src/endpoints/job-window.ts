import { ServiceError } from '../core/errors.ts'
import { wholeMilliseconds } from '../core/money.ts'
import { durationOf, type JobWindow, type Segment } from '../core/segments.ts'

export const wholeMedia: JobWindow = { startSeconds: null, endSeconds: null }

/** A shorter window may contain no frame and no block of audio. */
export const shortestWindowSeconds = 0.01
/** Ignores the rounding error of floating point. */
export const isTooShort = (seconds: number): boolean => seconds < shortestWindowSeconds - 1e-6
const tooShort = `The window is shorter than ${shortestWindowSeconds} s. Choose a longer window.`

/** Throws `invalid_request` if start is at or after end. */
export function assertStartBeforeEnd({ startSeconds, endSeconds }: JobWindow): void {
  if (endSeconds === null) return
  const length = endSeconds - (startSeconds ?? 0)
  if (length <= 0) {
    throw new ServiceError('invalid_request', 'start is at or after end. Send an end that is later than start.')
  }
  if (isTooShort(length)) throw new ServiceError('invalid_request', tooShort)
}

/** Containers round their length, so a time within this tolerance past the end counts as the end. */
const toleranceSeconds = 0.1

/** The segment of the media that a window names. Throws `invalid_request` if it is past the end of the media. */
export function resolveWindow({ startSeconds, endSeconds }: JobWindow, mediaSeconds: number, within = ''): Segment {
  const start = startSeconds ?? 0
  const end = endSeconds ?? mediaSeconds
  if (start >= mediaSeconds) throw pastTheEnd(`${within}start`, start, mediaSeconds, 'Choose an earlier one.')
  if (end > mediaSeconds + toleranceSeconds) {
    throw pastTheEnd(`${within}end`, end, mediaSeconds, 'Leave end blank to use the end of the media.')
  }
  const window = { start, end: Math.min(end, mediaSeconds) }
  if (isTooShort(durationOf(window))) throw new ServiceError('invalid_request', tooShort)
  return window
}

export function pastTheEnd(field: string, seconds: number, mediaSeconds: number, advice: string): ServiceError {
  return new ServiceError(
    'invalid_request',
    `${field} ${seconds} is past the end of the media (${mediaSeconds.toFixed(3)} s). ${advice}`,
  )
}

/** Length of a window in milliseconds, rounded up; undefined while its end is the unknown end of the media. */
export function windowMilliseconds(window: JobWindow, mediaSeconds: number | undefined): number | undefined {
  const end = mediaSeconds === undefined ? window.endSeconds : Math.min(window.endSeconds ?? mediaSeconds, mediaSeconds)
  if (end === null) return undefined
  return Math.max(0, wholeMilliseconds(end - (window.startSeconds ?? 0)))
}
