import { ServiceError } from '../../src/core/errors.ts'
import { findEndpoint, liveEndpoints } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { assertStartBeforeEnd, type JobWindow, wholeMedia } from '../../src/endpoints/job-window.ts'
import { parseSettings, parseWindow, type SettingsDocument } from '../../src/endpoints/parse-settings.ts'
import { fieldsOf, type JobRequest } from './request-schema.ts'

const maxWarnings = 20

/** A request that was validated, in the service's own terms. */
export interface ValidJobRequest {
  readonly endpoint: LiveEndpoint
  readonly window: JobWindow
  /** Defaults are filled in. */
  readonly settings: SettingsDocument
  readonly warnings: readonly string[]
  /** False: the caller waits for the end. */
  readonly runOnWorker: boolean
}

/** Validates a request, but for its media. `invalid_request` names what is wrong; `endpoint_unavailable` for previews. */
export function validateJobRequest(request: JobRequest): ValidJobRequest {
  const endpoint = liveEndpointOf(request)
  const { _run_on_worker: runOnWorker = true, ...given } = request.settings ?? {}
  if (typeof runOnWorker !== 'boolean') throw invalid('settings._run_on_worker: expected true or false.')
  const strays = strayFields(endpoint, request)
  const { settings, unknown } = parseSettings(endpoint, given)
  const window = endpoint.readsMedia ? parseWindow(request) : wholeMedia
  const problem = endpoint.validate(window, settings)
  if (problem) throw invalid(problem)
  assertStartBeforeEnd(window)
  const warnings = [
    ...endpoint.warn(settings),
    ...strays.map((name) => ignored('field', name)),
    ...unknown.map((name) => ignored('setting', name)),
  ]
  return { endpoint, window, settings, warnings: warnings.slice(0, maxWarnings), runOnWorker }
}

function liveEndpointOf({ endpoint: id }: JobRequest): LiveEndpoint {
  const endpoint = findEndpoint(id)
  if (!endpoint) throw invalid(`endpoint: unknown. Use one of ${liveEndpoints.map((live) => live.id).join(', ')}.`)
  if (endpoint.stage === 'preview') throw new ServiceError('endpoint_unavailable')
  return endpoint
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

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_request', message)
}
