import { z } from 'zod'
import { invalidRequest, ServiceError } from '../core/errors.ts'
import { describeIssues, describePath } from '../core/input-problems.ts'
import type { JobWindow } from '../core/segments.ts'
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

export function notATime(field: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'invalid_request',
    `${field}: use seconds, MM:SS or HH:MM:SS. Seconds after a colon go to 59, and so do minutes after hours.`,
    { cause },
  )
}
