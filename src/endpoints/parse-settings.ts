import { z } from 'zod'
import { invalidRequest, ServiceError } from '../core/errors.ts'
import { describeIssues, describePath } from '../core/input-problems.ts'
import { wholeMilliseconds } from '../core/money.ts'
import { durationOf, type JobWindow, type Segment } from '../core/segments.ts'
import { isPostgresText, notPostgresText } from '../core/text.ts'
import { parseTimeCode } from '../core/time-code.ts'
import type { LiveEndpoint } from './define-endpoint.ts'

// Parses what callers send. Each function throws `invalid_request` with the name of the field.

type Json = z.core.util.JSONType

/** Settings as stored in a job's row. `z.json()` tries six schemas for each value: 12,500 segments take it 17 ms, and this one a millisecond. */
export const settingsDocument = z.record(z.string(), z.custom<Json>(isJson))
export type SettingsDocument = z.output<typeof settingsDocument>

/** Longer settings can have a problem in each of 100,000 entries of their lists: the first is enough. */
const maxFullyChecked = 10_000
const untilFirstProblem: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true }

function isJson(value: unknown): value is Json {
  if (Array.isArray(value)) return value.every(isJson)
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isJson)
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

/** A caller's settings with defaults filled in, without unknown ones. `within` is where the request has them. */
export function parseSettings(
  endpoint: LiveEndpoint,
  given: Readonly<Record<string, unknown>>,
  within: readonly string[] = ['settings'],
): SettingsDocument {
  const place = describePath(within)
  const isLong = JSON.stringify(given).length > maxFullyChecked
  const parsed = endpoint.settings.safeParse(given, isLong ? untilFirstProblem : { reportInput: true })
  if (!parsed.success) throw invalidRequest(describeIssues(parsed.error.issues, place, within))
  if (!isPostgresText(JSON.stringify(parsed.data))) throw invalidRequest(`${place}: ${notPostgresText}`)
  return settingsDocument.parse(parsed.data)
}

type Time = number | string | undefined

/** The window of a request. Does not check that its start is before its end. */
export function parseWindow({ start, end }: { readonly start?: Time; readonly end?: Time }): JobWindow {
  return { startSeconds: secondsOf(start, 'start'), endSeconds: secondsOf(end, 'end') }
}

/** A caller's time in seconds; null if it is blank or left out. */
export function secondsOf(value: Time, field: string): number | null {
  if (value === undefined) return null
  try {
    return parseTimeCode(value) ?? null
  } catch (cause) {
    throw notATime(field, cause)
  }
}

/** The moments of a job: those of the setting, or else `start`. Undefined if it has neither. */
export function momentsIn(
  { startSeconds }: JobWindow,
  times: readonly (number | string)[] | undefined,
  setting: string,
): number[] | undefined {
  if (!times) return startSeconds === null ? undefined : [startSeconds]
  return times.map((time, index) => {
    const field = `settings.${setting}[${index}]`
    const seconds = secondsOf(time, field)
    if (seconds === null) throw notATime(field)
    return seconds
  })
}

function notATime(field: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'invalid_request',
    `${field}: use seconds, MM:SS or HH:MM:SS. Seconds after a colon go to 59, and so do minutes after hours.`,
    { cause },
  )
}

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
    throw invalidRequest('start is at or after end. Send an end that is later than start.')
  }
  if (isTooShort(length)) throw invalidRequest(tooShort)
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
  if (isTooShort(durationOf(window))) throw invalidRequest(tooShort)
  return window
}

export function pastTheEnd(field: string, seconds: number, mediaSeconds: number, advice: string): ServiceError {
  return invalidRequest(`${field} ${seconds} is past the end of the media (${mediaSeconds.toFixed(3)} s). ${advice}`)
}

/** Length of a window in milliseconds, rounded up; undefined while its end is the unknown end of the media. */
export function windowMilliseconds(window: JobWindow, mediaSeconds: number | undefined): number | undefined {
  const end = mediaSeconds === undefined ? window.endSeconds : Math.min(window.endSeconds ?? mediaSeconds, mediaSeconds)
  if (end === null) return undefined
  return Math.max(0, wholeMilliseconds(end - (window.startSeconds ?? 0)))
}
