import { z } from 'zod'
import { freeCreditsMicroUsd } from '../../src/billing/credits.ts'
import { contentTypes } from '../../src/core/media.ts'
import { toUsd } from '../../src/core/money.ts'
import { endpointGroups } from '../../src/core/scopes.ts'
import { endpoints, endpointsWith, exampleOf } from '../../src/endpoints/catalog.ts'
import type { Endpoint, LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { presentedResult } from '../../src/endpoints/result-files.ts'
import { apiVersion } from '../http/errors.ts'
import { anyErrors, publicRoute, requestId } from '../http/route.ts'
import { uploadUrlSeconds } from '../uploads/register.ts'

const catalogSchema = z
  .looseObject({ request_id: requestId, version: z.string(), endpoints: z.array(z.looseObject({ id: z.string() })) })
  .meta({ id: 'Catalog' })

/** `GET /v1/catalog` */
export const catalogRoute = publicRoute({
  method: 'GET',
  url: '/v1/catalog',
  schema: {
    operationId: 'getCatalog',
    tags: ['service'],
    summary: 'List endpoints, prices, formats and limits',
    response: { ...anyErrors, 200: catalogSchema },
  },
  handler: async (request, { context: { config, models } }) => ({
    request_id: request.id,
    version: apiVersion,
    base_url: config.BASE_URL,
    ...(config.FALLBACK_BASE_URL ? { fallback_base_url: config.FALLBACK_BASE_URL } : {}),
    groups: [...endpointGroups],
    endpoints: endpointsWith(models).map(presentEndpoint),
    pricing: { currency: 'usd', units: pricingUnits, rounding: 'up to the next millionth of a dollar' },
    credits: { free_usd: toUsd(freeCreditsMicroUsd) },
    formats: contentTypes,
    limits: {
      max_upload_bytes: config.MAX_UPLOAD_BYTES,
      max_media_bytes: config.MAX_MEDIA_BYTES,
      upload_url_seconds: uploadUrlSeconds,
      requests_per_minute: config.RATE_LIMIT_PER_ACCOUNT,
      retention_days: config.RETENTION_DAYS,
    },
  }),
})

export const pricingUnits = {
  media_minute: 'a minute of media analysed',
  output_minute: 'a minute of media produced',
  free: 'costs nothing',
} as const

/** An endpoint as in the catalog. A preview has only its summary. */
export function presentEndpoint(endpoint: Endpoint) {
  const { id, group, stage, summary } = endpoint
  if (endpoint.stage === 'preview') return { id, group, stage, summary }
  const { description, price } = endpoint
  const needs = endpoint.readsMedia ? endpoint.needs : {}
  return {
    id,
    group,
    stage,
    summary,
    description,
    path: `/v1/${id}`,
    price: { usd: toUsd(price.rateMicroUsdPerMinute), unit: price.unit },
    needs: { media: endpoint.readsMedia, audio: needs.audio ?? false, video: needs.video ?? false },
    produces_files: endpoint.producesFiles,
    settings: settingsSchema(endpoint),
    result: resultSchema(endpoint),
    example: exampleOf(endpoint),
  }
}

export function describePrice(endpoint: Endpoint): string {
  if (endpoint.stage === 'preview') return 'A preview: it does not run yet.'
  const { rateMicroUsdPerMinute, unit } = endpoint.price
  return unit === 'free' ? 'Costs nothing.' : `${toUsd(rateMicroUsdPerMinute)} USD for ${pricingUnits[unit]}.`
}

type JsonSchema = z.core.JSONSchema.BaseSchema

export function settingsRef(endpoint: LiveEndpoint): { $ref: string } {
  return { $ref: `#/components/schemas/${componentName(endpoint)}Settings` }
}

/** The endpoints' settings and results, and what results share, as components of the OpenAPI document. */
export function endpointComponents(): Record<string, object> {
  return Object.fromEntries(
    endpoints.flatMap((endpoint) => {
      const { $defs: shared = {}, ...result } = asComponent(resultSchema(endpoint))
      return [
        [`${componentName(endpoint)}Settings`, settingsSchema(endpoint)],
        [`${componentName(endpoint)}Result`, result],
        ...Object.entries(shared),
      ]
    }),
  )
}

const withShared = z.looseObject({ $defs: z.record(z.string(), z.looseObject({})).optional() })

function asComponent(schema: JsonSchema) {
  return withShared.parse(JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')))
}

/** The settings that callers can send: all are optional, and unknown settings cause a warning. */
export const settingsSchema = once((endpoint) => plain(z.toJSONSchema(endpoint.settings, { io: 'input' })))

/** The result that callers receive: the declared result, with output files and preview if the endpoint has them. */
const resultSchema = once((endpoint) => plain(z.toJSONSchema(presentedResult(endpoint), { io: 'output' })))

/** The schemas of an endpoint never change, and take milliseconds to make. */
function once(make: (endpoint: LiveEndpoint) => JsonSchema): (endpoint: LiveEndpoint) => JsonSchema {
  const made = new WeakMap<LiveEndpoint, JsonSchema>()
  return (endpoint) => {
    const schema = made.get(endpoint) ?? make(endpoint)
    made.set(endpoint, schema)
    return schema
  }
}

function plain({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema
}

/** `VideoClipWindow` for `video/clip-window`. */
export function componentName({ id }: LiveEndpoint): string {
  return id
    .split(/[/-]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')
}
