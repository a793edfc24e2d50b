import type { Tool } from './define-tool.ts'
import { estimateCost } from './tools/estimate-cost.ts'
import { getAgentGuide } from './tools/get-agent-guide.ts'
import { getCodeExample } from './tools/get-code-example.ts'
import { getEndpointSchema } from './tools/get-endpoint-schema.ts'
import { listEndpoints } from './tools/list-endpoints.ts'
import { listWorkflows } from './tools/list-workflows.ts'
import { planIntegration } from './tools/plan-integration.ts'

/** Every tool, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  getAgentGuide,
  listEndpoints,
  getEndpointSchema,
  estimateCost,
  listWorkflows,
  planIntegration,
  getCodeExample,
]
