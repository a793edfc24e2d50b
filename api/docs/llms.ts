import { chains, isLiveChain } from '../../src/chains/chains.ts'
import type { Config } from '../../src/config.ts'
import { toUsd } from '../../src/core/money.ts'
import { endpointsWith } from '../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../src/endpoints/define-endpoint.ts'
import type { ModelName } from '../../src/models/models.ts'
import { pricingUnits } from '../catalog/present.ts'

/** `/llms.txt`: what the service does and where to read on, for models that know only the address of the service. https://llmstxt.org */
export function llmsText(
  { BASE_URL: base, TOOL_PREFIX }: Pick<Config, 'BASE_URL' | 'TOOL_PREFIX'>,
  models: ReadonlySet<ModelName>,
): string {
  const live = chains.filter((chain) => isLiveChain(chain, models))
  return `# Media Timeline

> Finds timestamped moments in video and audio, and cuts clips exact to the frame, as jobs billed by use.

Choose media: any public or signed URL, or upload a file: a small one with POST ${base}/v1/uploads as a form, others with POST ${base}/v1/uploads/presign and a PUT of the bytes.
Create a job with POST ${base}/v1/jobs, and repeat GET ${base}/v1/jobs/{job_id}?wait=20 until its status is completed or failed.
Send "Authorization: Bearer <API_KEY>". POST ${base}/v1/estimate prices a job before it is created.

## Documents
- [API reference](${base}/docs/): every operation, with curl; for endpoints and runs with programs in Node.js and Python too
- [OpenAPI](${base}/openapi.json): the same as a document
- [Errors](${base}/docs/errors): every error code and what to do
- [Catalog](${base}/v1/catalog): endpoints with settings, results, prices and limits

## Agents
- [MCP](${base}/mcp): tools over the Model Context Protocol, by POST; call ${TOOL_PREFIX}get_agent_guide first
- [Manifest](${base}/mcp/manifest): every tool with its schema

## Endpoints
${endpointsWith(models)
  .map((endpoint) => describeEndpoint(base, endpoint))
  .join('\n')}

## Chains
Run one with POST ${base}/v1/workflows/{workflow_id}/runs; [GET /v1/workflows](${base}/v1/workflows) has their prices.
${live.map(({ id, summary }) => `- ${id}: ${summary}`).join('\n')}
`
}

function describeEndpoint(base: string, endpoint: Endpoint): string {
  const { id, group, summary } = endpoint
  if (endpoint.stage === 'preview') return `- ${id}: ${summary} Does not run yet.`
  const { rateMicroUsdPerMinute, unit } = endpoint.price
  const price = unit === 'free' ? 'Free.' : `${toUsd(rateMicroUsdPerMinute)} USD for ${pricingUnits[unit]}.`
  return `- [${id}](${base}/docs/#tag/${group}/POST/v1/${id}): ${summary} ${price}`
}
