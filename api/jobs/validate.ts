import { chains } from '../../src/chains/chains.ts'
import { invalidRequest, ServiceError } from '../../src/core/errors.ts'
import { describeUnknown } from '../../src/core/input-problems.ts'
import { notInstalled } from '../../src/core/not-installed.ts'
import type { JobWindow } from '../../src/core/segments.ts'
import { endpoints, findEndpoint, missingModels } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { assertStartBeforeEnd, wholeMedia } from '../../src/endpoints/job-window.ts'
import { parseSettings, parseWindow, type SettingsDocument } from '../../src/endpoints/parse-settings.ts'
import { type ModelName, modelNames } from '../../src/models/models.ts'
import { forChains, type JobRequest, jobRequest, requestWindow, windowFields } from './request-schema.ts'
import { warnOfUnknownSettings } from './unknown-settings.ts'

export const maxWarnings = 20

/** A validated request. */
export interface ValidJobRequest {
  readonly endpoint: LiveEndpoint
  readonly window: JobWindow
  /** With defaults filled in. */
  readonly settings: SettingsDocument
  /** The ids of the uploads that the job reads in place of media. */
  readonly uploads: readonly string[] | undefined
  /** The names of the settings that the request has. */
  readonly givenSettings: readonly string[]
  readonly warnings: readonly string[]
  /** If false, the response comes when the job ends. */
  readonly answersImmediately: boolean
}

/**
 * Validates a request, except its media. Throws `invalid_request` with the problem, and `endpoint_unavailable` where the
 * endpoint's models are not installed.
 */
export function validateJobRequest(
  request: JobRequest,
  models: ReadonlySet<ModelName> = new Set(modelNames),
): ValidJobRequest {
  const endpoint = liveEndpointOf(request)
  if (missingModels(endpoint, models).length > 0) throw new ServiceError('endpoint_unavailable', notInstalled)
  const { _run_on_worker: answersImmediately = true, ...given } = request.settings ?? {}
  if (typeof answersImmediately !== 'boolean') throw invalidRequest('settings._run_on_worker: expected true or false.')
  const known = Object.keys(endpoint.settings.shape)
  const warnings = [...warnOfMediaFields(endpoint, request), ...checkSettingNames(endpoint, Object.keys(given))]
  const givenSettings = Object.keys(given).filter((name) => known.includes(name))
  const settings = parseSettings(endpoint, given)
  const uploads = endpoint.readsMedia ? endpoint.uploadsToRead(settings) : undefined
  if (uploads && request.media_url !== undefined)
    throw invalidRequest('settings.upload_ids takes the place of media_url. Send only one of them.')
  const window = endpoint.readsMedia ? parseWindow(request) : wholeMedia
  const problem = endpoint.validate(window, settings)
  if (problem) throw invalidRequest(problem)
  assertStartBeforeEnd(window)
  warnings.unshift(...endpoint.warn(settings))
  return {
    endpoint,
    window,
    settings,
    uploads,
    givenSettings,
    warnings: warnings.slice(0, maxWarnings),
    answersImmediately,
  }
}

function liveEndpointOf({ endpoint: id }: JobRequest): LiveEndpoint {
  const endpoint = findEndpoint(id)
  if (chains.some((chain) => chain.id === id))
    throw invalidRequest(
      `endpoint: ${id} is a chain: use POST /v1/workflows/${id}/runs. By default, it returns a plan with prices.`,
    )
  if (!endpoint)
    throw invalidRequest(
      `endpoint: ${describeUnknown(
        'endpoint',
        id,
        endpoints.map((each) => each.id),
      )}`,
    )
  return endpoint
}

function warnOfMediaFields({ id, readsMedia }: LiveEndpoint, request: JobRequest): string[] {
  const given = readsMedia ? [] : Object.keys(requestWindow).filter((name) => Object.hasOwn(request, name))
  return given.map((name) => `${name} was ignored: ${id} reads no media.`)
}

/** A field among the settings is refused, because the job would run, and be charged, without it: without `end`, to the end of the media. */
function checkSettingNames(endpoint: LiveEndpoint, names: readonly string[]): string[] {
  const known = Object.keys(endpoint.settings.shape)
  const fields = Object.keys(jobRequest.shape).filter(
    (name) => endpoint.readsMedia || !Object.hasOwn(requestWindow, name),
  )
  const misplaced = names.find((name) => !known.includes(name) && fields.includes(name))
  if (misplaced)
    throw invalidRequest(`settings.${misplaced} belongs outside settings: send { "${misplaced}": …, "settings": … }.`)
  const ofStep = names.find((name) => findEndpoint(name))
  if (ofStep)
    throw invalidRequest(`settings: only a run has settings by endpoint; a job has its own directly. ${forChains}`)
  return warnOfUnknownSettings(names, known, { outside: endpoint.readsMedia ? windowFields : [] })
}
