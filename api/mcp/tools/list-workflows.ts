import { z } from 'zod'
import { chains } from '../../../src/chains/chains.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { presentWorkflow } from '../../runs/present.ts'
import { workflow } from '../../runs/schema.ts'
import { definePublicTool, lookUp } from '../define-tool.ts'

export const listWorkflowsTool = definePublicTool({
  name: 'list_workflows',
  title: 'List recommended chains',
  description: `Lists the recommended chains of endpoints: ${chains.map(({ title }) => title.toLowerCase()).join(', ')}. Each says which steps are live. Use it when a goal needs more than one endpoint.`,
  annotations: lookUp,
  input: strictFields({}),
  output: z.object({ workflows: z.array(z.object(workflow.shape)) }),
  run: async (_input, { context: { models } }) => {
    const workflows = chains.map((chain) => presentWorkflow(chain, models))
    const lines = workflows.map(({ id, title, stage, steps, missing }) => {
      const preview = missing.length === 0 ? 'does not run as a chain yet' : `previews: ${missing.join(', ')}`
      const state = stage === 'live' ? 'every step is live' : preview
      return `- ${id} (${title}): ${steps.map(({ endpoint }) => endpoint).join(' → ')}; ${state}`
    })
    return {
      structured: { workflows },
      text: `${lines.join('\n')}\nNext: call svc.plan_integration with your goal. It ranks chains and endpoints for it, and returns their tool calls.`,
    }
  },
})
