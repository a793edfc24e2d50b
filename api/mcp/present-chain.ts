import { z } from 'zod'
import type { Chain } from '../../src/chains/chains.ts'
import { findEndpoint } from '../../src/endpoints/catalog.ts'

export const chainSchema = z.object({
  id: z.string(),
  title: z.string(),
  steps: z.array(z.object({ endpoint: z.string(), stage: z.enum(['live', 'preview']), summary: z.string() })),
  runnable: z.boolean().describe('Whether every step is live.'),
  missing: z.array(z.string()).describe('Endpoints of it that are previews.'),
})

export function presentChain({ id, title, steps: ids }: Chain): z.output<typeof chainSchema> {
  const steps = ids.map((endpointId) => {
    const endpoint = findEndpoint(endpointId)
    if (!endpoint) throw new TypeError(`${endpointId} is no endpoint`)
    return { endpoint: endpoint.id, stage: endpoint.stage, summary: endpoint.summary }
  })
  const missing = steps.filter(({ stage }) => stage === 'preview').map(({ endpoint }) => endpoint)
  return { id, title, steps, runnable: missing.length === 0, missing }
}
