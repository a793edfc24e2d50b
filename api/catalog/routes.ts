import { z } from 'zod'
import { freeCreditsMicroUsd } from '../../src/billing/credits.ts'
import { contentTypes } from '../../src/core/media.ts'
import { toUsd } from '../../src/core/money.ts'
import { endpoints, endpointsWith } from '../../src/endpoints/catalog.ts'
import { endpointGroups } from '../../src/endpoints/define-endpoint.ts'
import { publicRoute } from '../http/route.ts'
import { anyErrors, requestId } from '../http/schemas.ts'
import { apiVersion } from '../http/version.ts'
import { uploadUrlSeconds } from '../uploads/presign.ts'
import { presentEndpoint, pricingUnits } from './present.ts'

const catalogSchema = z
  .looseObject({ request_id: requestId, version: z.string(), endpoints: z.array(z.looseObject({ id: z.string() })) })
  .meta({ id: 'Catalog' })

/** Their schemas take a while. */
const presentedLive = new Map(endpoints.map((endpoint) => [endpoint.id, presentEndpoint(endpoint)]))

/** `GET /v1/catalog` */
export const catalogRoute = publicRoute({
  method: 'GET',
  url: '/v1/catalog',
  schema: {
    operationId: 'getCatalog',
    tags: ['service'],
    summary: 'List endpoints, prices, formats and limits',
    security: [],
    response: { ...anyErrors, 200: catalogSchema },
  },
  handler: async (request, { context: { config, models } }) => ({
    request_id: request.id,
    version: apiVersion,
    base_url: config.BASE_URL,
    ...(config.FALLBACK_BASE_URL ? { fallback_base_url: config.FALLBACK_BASE_URL } : {}),
    groups: [...endpointGroups],
    endpoints: endpointsWith(models).map(
      (endpoint) => (endpoint.stage === 'live' && presentedLive.get(endpoint.id)) || presentEndpoint(endpoint),
    ),
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
