import { toUsd } from '../../src/core/money.ts'
import { exampleOf } from '../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../src/endpoints/define-endpoint.ts'
import { resultSchema, settingsSchema } from './endpoint-schemas.ts'

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
