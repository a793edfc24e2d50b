import { z } from 'zod'
import { chains } from '../../src/chains/chains.ts'
import { invalidRequest, notInstalled, ServiceError } from '../../src/core/errors.ts'
import { describeUnknown, nearestName, strictFields } from '../../src/core/input-problems.ts'
import type { JobWindow } from '../../src/core/segments.ts'
import { upperFirst } from '../../src/core/text.ts'
import { endpoints, exampleOf, findEndpoint, missingModels } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { time, timeForms } from '../../src/endpoints/fields.ts'
import {
  assertStartBeforeEnd,
  parseSettings,
  parseWindow,
  type SettingsDocument,
  wholeMedia,
} from '../../src/endpoints/parse-settings.ts'
import { type ModelName, modelNames } from '../../src/models/models.ts'
import { settingsRef } from '../catalog/routes.ts'
import { callbackUrl } from '../http/callback-url.ts'
import { metadata } from '../http/metadata.ts'
import { amountUsd } from '../http/route.ts'

export const maxWarnings = 20

/** A validated request. */
export interface ValidJobRequest {
  readonly endpoint: LiveEndpoint
  readonly window: JobWindow
  /** With defaults filled in. */
  readonly settings: SettingsDocument
  /** The ids of the uploads that the job reads in place of media. */
  readonly uploads: readonly string[] | undefined
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
  const warnings = [...warnOfMediaFields(endpoint, request), ...checkSettingNames(endpoint, Object.keys(given))]
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

/** The syntax of `parseTimeCode`, for the OpenAPI document. */
const timePattern = String.raw`^\s*(\d{1,9}(\.\d{1,9})?|(\d{1,4}:[0-5]?\d|\d{1,4}):[0-5]?\d(\.\d{1,9})?)?\s*$`

const [seconds, timeText] = time.options

const edge = z.union([seconds, timeText.meta({ pattern: timePattern })], {
  error: 'expected seconds, or a text such as "90", "01:30" or "00:01:30.500"',
})

const freeSettings = z.record(z.string(), z.unknown())

export const requestWindow = {
  media_url: z.string().optional().meta({
    format: 'uri',
    minLength: 1,
    description: 'A public or signed http(s) URL, the media_url of an upload, or an output_url of a job.',
  }),
  start: edge
    .optional()
    .describe(`${timeForms} The start of the media when left out, where the endpoint does not need it.`),
  end: edge.optional().describe('The same forms. The end of the media when left out or blank.'),
}

/** The edges of the window: without them all of the media is processed, and charged. */
export const windowFields = ['start', 'end'] as const satisfies readonly (keyof typeof requestWindow)[]

const unknownSettings = 'A misspelt name is refused ("Did you mean …?"); other unknown ones become warnings.'

/** For requests that mean a chain, but are about a job. */
const forChains =
  'For a chain, use POST /v1/workflows/{workflow_id}/runs: "mode": "plan" returns its prices and runs nothing.'

const noEndpoint = `send the id of an endpoint, such as ${endpoints[0]?.id}. ${forChains}`

const jobFields = {
  endpoint: z
    .string({ error: ({ input }) => (input === undefined ? noEndpoint : undefined) })
    .meta({ enum: endpoints.map(({ id }) => id) }),
  ...requestWindow,
  settings: freeSettings.optional().describe(`Settings of the endpoint. ${unknownSettings}`),
  metadata: metadata.optional(),
}

/** Without a setting that stands beside settings, the job would run, and be charged. */
function placeOfJobField(name: string): string | undefined {
  return settingNames.has(name) ? `${name} belongs inside settings: send { "settings": { "${name}": … } }` : undefined
}

/** The fields of a job and others beside them. `validateJobRequest` checks the endpoint and its settings. */
export function jobRequestWith<Others extends z.core.$ZodLooseShape>(others: Others) {
  return strictFields({ ...jobFields, ...others }, { placeOf: placeOfJobField })
}

export const maxJobPrice = amountUsd
  .optional()
  .describe('The most that the job may cost. If it can cost more, it fails with price_limit_reached before its work.')

/** Of a job, and not of its estimate. */
const ofJob = { callback_url: callbackUrl, max_price_usd: maxJobPrice }

/** Body of `POST /v1/jobs`. */
export const jobRequest = jobRequestWith(ofJob).meta({
  id: 'JobCreateRequest',
  allOf: endpoints.map((endpoint) => ({
    if: { properties: { endpoint: { const: endpoint.id } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: { settings: settingsRef(endpoint) },
      required: [requiredOf(endpoint)],
      ...endpoint.requestRule,
    },
  })),
  examples: endpoints.map(exampleOf),
})

/** Body of an endpoint's direct path. */
export function directRequest(endpoint: LiveEndpoint) {
  const { endpoint: _id, ...example } = exampleOf(endpoint)
  // A body of POST /v1/jobs is taken too.
  const fields = {
    ...jobFields,
    ...ofJob,
    endpoint: z.literal(endpoint.id).optional().describe('The endpoint of the path.'),
  }
  const settings = freeSettings.optional().meta({ description: unknownSettings, allOf: [settingsRef(endpoint)] })
  return strictFields({ ...fields, settings }, { placeOf: placeOfJobField }).meta({
    required: [requiredOf(endpoint)],
    ...endpoint.requestRule,
    examples: [example],
  })
}

/** What a request for the endpoint cannot leave out. */
function requiredOf({ readsMedia }: LiveEndpoint): 'media_url' | 'settings' {
  return readsMedia ? 'media_url' : 'settings'
}

export type JobRequest = z.output<typeof jobRequest>

export const endpointIds = endpoints.map(({ id }) => id)

export const idempotencyHeader = z.object({
  'idempotency-key': z.string().optional().meta({
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x21-\\x7e]+$',
    description:
      'Makes a retry safe for 24 hours: the same key with the same body on the same path returns the job or run that the first request created, with the header Idempotent-Replayed: true. If that job or run was deleted since, the key creates a new one.',
  }),
})

/**
 * A warning for each setting that is not known. Throws `invalid_request` for one that looks misspelt, or that
 * looks like one of the fields `outside`, because the job would run, and be charged, without it.
 */
export function warnOfUnknownSettings(
  given: readonly string[],
  known: readonly string[],
  { of = '', outside = [] }: { readonly of?: string; readonly outside?: readonly string[] } = {},
): string[] {
  const unknown = given.filter((name) => !known.includes(name))
  for (const name of unknown.filter((each) => !settingNames.has(each))) {
    if (nearestName(name, known)) throw invalidRequest(upperFirst(describeUnknown('setting', name, known, of)))
    const field = nearestName(name, outside)
    if (field === undefined) continue
    const problem = describeUnknown('setting', name, outside, of)
    throw invalidRequest(upperFirst(`${problem} ${field} belongs outside settings.`))
  }
  return unknown.map((name) => `Unknown setting ${JSON.stringify(name.slice(0, 60))}${of} was ignored.`)
}

/**
 * The settings of all endpoints. Such a name is never taken for a misspelt one: callers may send the same settings to several
 * endpoints.
 */
const settingNames: ReadonlySet<string> = new Set(endpoints.flatMap(({ settings }) => Object.keys(settings.shape)))
