import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { isPostgresText, notPostgresText } from '../../src/core/postgres-text.ts'
import { parseTimeCode } from '../../src/core/time-code.ts'
import { findEndpoint, liveEndpoints } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { isTooShort, type JobWindow, tooShort, wholeMedia } from '../../src/endpoints/job-window.ts'
import { describeProblem, describeProblems } from '../http/input-problems.ts'
import { fieldsOf, type JobRequest } from './request-schema.ts'

const reservedModes: readonly unknown[] = ['smart', 'copy']
const maxWarnings = 20

const settingsDocument = z.record(z.string(), z.json())

export interface JobPlan {
  readonly endpoint: LiveEndpoint
  readonly window: JobWindow
  readonly settings: z.output<typeof settingsDocument>
  readonly warnings: readonly string[]
  /** False: the caller waits for the end. */
  readonly runOnWorker: boolean
}

/** What a request asks for. `invalid_request` says what is wrong; `endpoint_unavailable` for previews. */
export function planJob(request: JobRequest): JobPlan {
  const endpoint = runnable(request.endpoint)
  const { _run_on_worker: runOnWorker = true, ...given } = request.settings ?? {}
  if (typeof runOnWorker !== 'boolean') throw invalid('settings._run_on_worker: expected true or false.')
  const strays = strayFields(endpoint, request)
  const { settings, unknown } = parseSettings(endpoint, given)

  const window = endpoint.readsMedia
    ? { startSeconds: timeOf('start', request.start), endSeconds: timeOf('end', request.end) }
    : wholeMedia
  const refusal = endpoint.validate(window, settings)
  if (refusal) throw invalid(refusal)
  checkOrder(window)
  const warnings = [
    ...endpoint.warn(settings),
    ...strays.map((name) => ignored('field', name)),
    ...unknown.map((name) => ignored('setting', name)),
  ]
  return { endpoint, window, settings, warnings: warnings.slice(0, maxWarnings), runOnWorker }
}

/** `invalid_request` where start and end leave nothing between them. */
export function checkOrder({ startSeconds, endSeconds }: JobWindow): void {
  if (endSeconds === null) return
  const length = endSeconds - (startSeconds ?? 0)
  if (length <= 0) throw invalid('start lies at or after end. Send an end that is later than start.')
  if (isTooShort(length)) throw invalid(tooShort)
}

function runnable(id: string): LiveEndpoint {
  const endpoint = findEndpoint(id)
  if (!endpoint) throw invalid(`endpoint: unknown. Use one of ${liveEndpoints.map((live) => live.id).join(', ')}.`)
  if (endpoint.stage === 'preview') throw new ServiceError('endpoint_unavailable')
  return endpoint
}

/** The settings of a request, with defaults filled in; `invalid_request` says what is wrong. */
export function parseSettings(endpoint: LiveEndpoint, given: Readonly<Record<string, unknown>>) {
  const later = endpoint.reservedSettings.find((name) => Object.hasOwn(given, name))
  if (later) throw invalid(`settings.${later} is not available yet. Leave it out.`)
  const known = (name: string) => Object.hasOwn(endpoint.settings.shape, name)
  if (known('mode') && reservedModes.includes(given['mode'])) {
    throw invalid(`settings.mode: ${String(given['mode'])} is not available yet. Use exact, or leave it out.`)
  }
  const parsed = endpoint.settings.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) =>
      describeProblem(`settings.${path.join('.')}`, message),
    )
    throw invalid(describeProblems(problems))
  }
  const unknown = Object.keys(given).filter((name) => !known(name))
  if (!isPostgresText(JSON.stringify(parsed.data))) throw invalid(`settings: ${notPostgresText}`)
  return { settings: settingsDocument.parse(parsed.data), unknown }
}

/** Fields that mean nothing. A setting among them is refused: the job would run, and be charged, without it. */
function strayFields(endpoint: LiveEndpoint, request: JobRequest): string[] {
  const strays = Object.keys(request).filter((name) => !fieldsOf(endpoint).has(name))
  const misplaced = strays.find((name) => Object.hasOwn(endpoint.settings.shape, name))
  if (misplaced) throw invalid(`${misplaced} belongs inside settings: send { "settings": { "${misplaced}": … } }.`)
  return strays
}

function ignored(kind: 'field' | 'setting', name: string): string {
  return `Unknown ${kind} ${JSON.stringify(name.slice(0, 60))} was ignored.`
}

export function timeOf(field: string, value: number | string | undefined): number | null {
  if (value === undefined) return null
  try {
    return parseTimeCode(value) ?? null
  } catch (cause) {
    throw new ServiceError('invalid_request', `${field}: use seconds, MM:SS or HH:MM:SS.`, { cause })
  }
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_request', message)
}
