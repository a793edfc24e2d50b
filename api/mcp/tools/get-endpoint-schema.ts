import { z } from 'zod'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { endpointsWith, exampleOf } from '../../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../../src/endpoints/define-endpoint.ts'
import { settingsSchema } from '../../catalog/endpoint-schemas.ts'
import { presentEndpoint } from '../../catalog/present.ts'
import { endpointIds } from '../../jobs/request-schema.ts'
import { definePublicTool, lookUp } from '../define-tool.ts'
import { endpointSummary } from './list-endpoints.ts'

const jsonSchema = z.record(z.string(), z.unknown())

const endpointDetails = endpointSummary.extend({
  path: z.string().optional().describe('The direct path of the endpoint in the REST API.'),
  settings: jsonSchema.optional().describe('JSON Schema of settings.'),
  result: jsonSchema.optional().describe("JSON Schema of the completed job's result."),
  example: jsonSchema.optional().describe('Arguments for svc.create_job.'),
})

export const getEndpointSchemaTool = definePublicTool({
  name: 'get_endpoint_schema',
  title: 'Get the schema of an endpoint',
  description:
    'Returns the settings, the result, the price and a worked example of one endpoint. Call it before svc.create_job to send valid settings.',
  annotations: lookUp,
  input: strictFields({ endpoint: z.enum(endpointIds).describe('An id from svc.list_endpoints.') }),
  output: z.object({ endpoint: endpointDetails }),
  run: async ({ endpoint: id }, { context: { models } }) => {
    const endpoint = endpointsWith(models).find((one) => one.id === id)
    if (!endpoint) throw new ServiceError('not_found')
    const text =
      endpoint.stage === 'live'
        ? describeLive(endpoint)
        : `${id} is a preview and does not run yet. svc.list_endpoints lists the live endpoints.`
    return { structured: { endpoint: endpointDetails.parse(presentEndpoint(endpoint)) }, text }
  },
})

const settingsDocument = z.object({
  properties: z.record(
    z.string(),
    z.looseObject({ description: z.string().optional(), default: z.unknown().optional() }),
  ),
})

function describeLive(endpoint: LiveEndpoint): string {
  const { properties } = settingsDocument.parse(settingsSchema(endpoint))
  const lines = Object.entries(properties).map(([name, { description, default: value, ...form }]) =>
    [`- ${name}: ${JSON.stringify(form)}.`, value === undefined ? '' : `Default ${JSON.stringify(value)}.`, description]
      .filter(Boolean)
      .join(' '),
  )
  const example = `Example: ${JSON.stringify(exampleOf(endpoint))}`
  const next = 'Next: svc.estimate_cost returns the price, svc.create_job runs it.'
  return [`${endpoint.id}: ${endpoint.description} Its settings:`, ...lines, example, next].join('\n')
}
