import { type Chain, missingSteps } from '../src/chains/chains.ts'
import { findEndpoint } from '../src/endpoints/catalog.ts'
import type { WorkflowBody } from './schemas/workflow.ts'

/** A chain as lists show it, with what is missing. */
export function presentWorkflow(chain: Chain): WorkflowBody {
  const { id, title, summary, inputsFrom } = chain
  const missing = missingSteps(chain)
  const steps = chain.steps.map((endpointId) => {
    const endpoint = findEndpoint(endpointId)
    if (!endpoint) throw new TypeError(`${endpointId} is no endpoint`)
    const filled = [...(inputsFrom[endpointId]?.settings ?? [])]
    return { endpoint: endpointId, stage: endpoint.stage, summary: endpoint.summary, filled }
  })
  return { id, title, summary, stage: missing.length === 0 ? 'live' : 'preview', steps, missing }
}
