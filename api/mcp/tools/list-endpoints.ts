import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { endpointsWith } from '../../../src/endpoints/catalog.ts'
import { endpointGroups } from '../../../src/endpoints/define-endpoint.ts'
import { describePrice, presentEndpoint, pricingUnits } from '../../catalog/present.ts'
import { definePublicTool, lookUp } from '../define-tool.ts'

const stages = ['live', 'preview'] as const

export const endpointSummary = z.object({
  id: z.string(),
  group: z.enum(endpointGroups),
  stage: z.enum(stages).describe('preview: listed, but answers endpoint_unavailable.'),
  summary: z.string(),
  description: z.string().optional(),
  price: z.object({ usd: z.number(), unit: z.string() }).optional().describe('Price per minute of the unit.'),
  needs: z.object({ media: z.boolean(), audio: z.boolean(), video: z.boolean() }).optional(),
  produces_files: z.boolean().optional(),
})

export const listEndpointsTool = definePublicTool({
  name: 'list_endpoints',
  title: 'List endpoints',
  description:
    'Lists the endpoints with their prices: cut clips, find silence or energy, and more. Use it to choose an endpoint; svc.get_endpoint_schema then returns its settings and result.',
  annotations: lookUp,
  input: strictFields({ group: z.enum(endpointGroups).optional(), stage: z.enum(stages).optional() }),
  output: z.object({ endpoints: z.array(endpointSummary), pricing_units: z.record(z.string(), z.string()) }),
  run: async ({ group, stage }, { context: { models } }) => {
    const chosen = endpointsWith(models).filter(
      (one) => (!group || one.group === group) && (!stage || one.stage === stage),
    )
    const presented = chosen.map((endpoint) => endpointSummary.parse(presentEndpoint(endpoint)))
    const lines = chosen.map((endpoint) => `- ${endpoint.id}: ${endpoint.summary} ${describePrice(endpoint)}`)
    return {
      structured: { endpoints: presented, pricing_units: pricingUnits },
      text: [...lines, 'Next: svc.get_endpoint_schema for one endpoint, or svc.list_workflows for chains.'].join('\n'),
    }
  },
})
