import { z } from 'zod'
import { strictFields } from '../../src/core/input-problems.ts'
import { endpoints, exampleOf } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { time, timeForms } from '../../src/endpoints/fields.ts'
import { settingsRef } from '../catalog/endpoint-schemas.ts'
import { metadata } from './metadata.ts'
import { settingNames } from './setting-names.ts'

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
export const forChains =
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

/** The fields of a job and others beside them. validate.ts checks the endpoint and its settings. */
export function jobRequestWith<Others extends z.core.$ZodLooseShape>(others: Others) {
  return strictFields({ ...jobFields, ...others }, { placeOf: placeOfJobField })
}

/** Body of `POST /v1/jobs`. */
export const jobRequest = jobRequestWith({}).meta({
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
  const fields = { ...jobFields, endpoint: z.literal(endpoint.id).optional().describe('The endpoint of the path.') }
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
