import { z } from 'zod'
import { type Chain, missingSteps } from '../../src/chains/chains.ts'
import { findEndpoint } from '../../src/endpoints/catalog.ts'

export const chainSchema = z.object({
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  steps: z.array(z.object({ endpoint: z.string(), stage: z.enum(['live', 'preview']), summary: z.string() })),
  runnable: z.boolean().describe('Whether every step is live.'),
  missing: z.array(z.string()).describe('Endpoints of it that are previews.'),
})

export function presentChain(chain: Chain): z.output<typeof chainSchema> {
  const { id, title, summary } = chain
  const steps = chain.steps.map((endpointId) => {
    const endpoint = findEndpoint(endpointId)
    if (!endpoint) throw new TypeError(`${endpointId} is no endpoint`)
    return { endpoint: endpoint.id, stage: endpoint.stage, summary: endpoint.summary }
  })
  const missing = missingSteps(chain)
  return { id, title, summary, steps, runnable: missing.length === 0, missing }
}
