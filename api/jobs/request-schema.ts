import { z } from 'zod'
import { endpoints, exampleOf } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { time, timeForms } from '../../src/endpoints/fields.ts'
import { settingsRef } from '../catalog/endpoint-schemas.ts'
import { forChains } from './foreign-fields.ts'
import { metadata } from './metadata.ts'

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

const noEndpoint = `send the id of an endpoint, such as ${endpoints[0]?.id}. ${forChains}`

/** Body of `POST /v1/jobs`. validate.ts checks the endpoint and its settings. */
export const jobRequest = z
  .looseObject({
    endpoint: z
      .string({ error: ({ input }) => (input === undefined ? noEndpoint : undefined) })
      .meta({ enum: endpoints.map(({ id }) => id) }),
    ...requestWindow,
    settings: freeSettings.optional().describe(`Settings of the endpoint. ${unknownSettings}`),
    metadata: metadata.optional(),
  })
  .meta({
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
  return z
    .looseObject({
      ...requestWindow,
      settings: freeSettings.optional().meta({
        description: unknownSettings,
        allOf: [settingsRef(endpoint)],
      }),
      metadata: metadata.optional(),
    })
    .meta({ required: [requiredOf(endpoint)], ...endpoint.requestRule, examples: [example] })
}

/** What a request for the endpoint cannot leave out. */
function requiredOf({ readsMedia }: LiveEndpoint): 'media_url' | 'settings' {
  return readsMedia ? 'media_url' : 'settings'
}

export type JobRequest = z.output<typeof jobRequest>

const fieldsWithMedia = Object.keys(jobRequest.shape)
const fieldsWithoutMedia = ['endpoint', 'settings', 'metadata']

/** The field names of a request for the endpoint. */
export function fieldsOf({ readsMedia }: LiveEndpoint): readonly string[] {
  return readsMedia ? fieldsWithMedia : fieldsWithoutMedia
}

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
