import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import type { Segment } from '../core/segments.ts'
import { maxSeconds } from '../core/time-code.ts'
import type { EarlierJob } from './define-timeline-endpoint.ts'
import type { JobWindow } from './job-window.ts'

const maxTimelineSegments = 20_000

const time = z.number().min(0).max(maxSeconds)

export const mediaLength = time.positive()

/** Segments as in results; fields other than the times are dropped. */
export const foundSegments = z.array(z.object({ start: time, end: time })).max(maxTimelineSegments)

export const jobIdSetting = z.string().regex(/^job_[a-zA-Z0-9]{1,64}$/, 'expected the id of a job')

const found = z.object({ segments: foundSegments, media_seconds: mediaLength.optional() })

/** The segments of a result, and the length of its media. */
export interface Timeline {
  readonly segments: readonly Segment[]
  readonly mediaSeconds: number | undefined
  /** The window of the job. */
  readonly window: JobWindow
}

/** The timeline in an earlier job's result. Throws `invalid_request` if the result has no segments. */
export function timelineOf({ id, window, result }: EarlierJob): Timeline {
  const { data } = found.safeParse(result)
  if (!data) {
    throw new ServiceError('invalid_request', `The result of ${id} has no segments. Use a job that finds segments.`)
  }
  return { segments: data.segments, mediaSeconds: data.media_seconds, window }
}

/** A message about invalid segments of a caller, or undefined. Empty segments are accepted. */
export function validateSegments(segments: readonly Segment[], field: string): string | undefined {
  const wrong = segments.findIndex(({ start, end }) => start > end)
  return wrong < 0 ? undefined : `${field}[${wrong}]: start is after end.`
}
