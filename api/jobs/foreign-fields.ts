import { runModes } from '../../src/chains/run-modes.ts'
import { nearestNames } from '../../src/core/nearest-names.ts'
import { settingNames } from './setting-names.ts'

/** For requests that mean a chain, but are about a job. */
export const forChains =
  'For a chain, use POST /v1/workflows/{workflow_id}/runs: "mode": "plan" returns its prices and runs nothing.'

/** Fields that other requests take. A job that ignored them would cost more than the caller allows, run twice, or do other work. */
const foreignFields: Readonly<Record<string, string>> = {
  max_price_usd:
    'only runs of chains take it. POST /v1/estimate returns the price of a job; a monthly_cap_usd bounds a key.',
  idempotency_key: 'send it as the header Idempotency-Key.',
  dry_run: 'a job always runs. POST /v1/estimate returns its price and runs nothing.',
  workflow: `a job has one endpoint. ${forChains}`,
  chain: `a job has one endpoint. ${forChains}`,
  upload: 'send the media_url of the upload instead. GET /v1/uploads/{upload_id} returns it.',
  filename: 'POST /v1/uploads/presign takes it. Its response has the media_url for a job.',
}

/** What to do instead of sending this field in a request whose own fields are these. Undefined if it belongs to no other request. */
export function adviceOnField(name: string, value: unknown, fields: readonly string[]): string | undefined {
  if (name === 'mode' && runModes.some((mode) => mode === value)) return foreignFields['workflow']
  if (settingNames.has(name)) return undefined
  const [foreign] = nearestNames(name, Object.keys(foreignFields))
  return foreign && nearestNames(name, fields).length === 0 ? foreignFields[foreign] : undefined
}
