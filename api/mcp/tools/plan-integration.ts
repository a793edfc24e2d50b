import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { liveEndpoints } from '../../../src/endpoints/catalog.ts'
import { presentWorkflow } from '../../runs/present.ts'
import { workflow as workflowSchema } from '../../runs/schema.ts'
import { definePublicTool, lookUp } from '../define-tool.ts'
import { chainFor, notesFor, runCallsFor, toolCallsFor } from '../tool-calls.ts'

export const planIntegrationTool = definePublicTool({
  name: 'plan_integration',
  title: 'Plan an integration',
  description:
    'Turns a goal in words, such as "remove the silences of a podcast", into a plan: the matching chain, the tool calls in order with their arguments, and alternatives for steps that do not run yet. Spends nothing.',
  annotations: lookUp,
  input: strictFields({
    goal: z.string().trim().min(1).max(1000).describe('The goal of the user, in English.'),
    media: z
      .enum(['url', 'file'])
      .default('url')
      .describe('url: the media has a URL. file: the media is a local file.'),
  }),
  output: z.object({
    workflow: z
      .object(workflowSchema.shape)
      .nullable()
      .describe('null: no chain matches; the plan then shows one live endpoint.'),
    steps: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), note: z.string() })),
    notes: z.array(z.string()),
  }),
  run: async ({ goal, media }, { named }) => {
    const chain = chainFor(goal)
    const workflow = chain ? presentWorkflow(chain) : null
    const steps =
      chain && workflow?.stage === 'live'
        ? runCallsFor(chain, media)
        : toolCallsFor(chain?.steps ?? liveEndpoints.slice(0, 1).map(({ id }) => id), media)
    const notes = workflow ? notesFor(workflow.missing) : ['No recommended chain matches: see svc.list_endpoints.']
    const plan = {
      workflow,
      steps: steps.map((step) => ({ ...step, tool: named(step.tool) })),
      notes: notes.map(named),
    }
    const lines = steps.map(({ tool, note }, index) => `${index + 1}. ${tool}: ${note}`)
    const title = workflow ? `Chain: ${workflow.title} (${workflow.id}).` : 'No chain matches.'
    return { structured: plan, text: [title, ...lines, ...plan.notes].join('\n') }
  },
})
