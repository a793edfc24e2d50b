import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { presentWorkflow } from '../../runs/present.ts'
import { workflow as workflowSchema } from '../../runs/schema.ts'
import { definePublicTool, lookUp } from '../define-tool.ts'
import { planGoal } from '../planning/plan-goal.ts'

export const planIntegrationTool = definePublicTool({
  name: 'plan_integration',
  title: 'Plan an integration',
  description:
    'Turns a goal in words, such as "remove the silences of a podcast" or "cut a highlight at 3:20", into a plan: the chain or endpoint, and the tool calls in order with their arguments. It also says which parts of the goal no endpoint can do. Spends nothing.',
  annotations: lookUp,
  input: strictFields({
    goal: z.string().trim().min(1).max(1000).describe('The goal of the user, in English.'),
    media: z
      .enum(['url', 'file'])
      .default('url')
      .describe('url: the media has a URL. file: the media is a local file.'),
  }),
  output: z.object({
    workflow: z.object(workflowSchema.shape).nullable().describe('null: endpoints are enough, or nothing does it.'),
    endpoint: z
      .string()
      .optional()
      .describe('The endpoint that does the work, without a chain. The steps name others that it needs.'),
    steps: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), note: z.string() })),
    notes: z
      .array(z.string())
      .describe(
        'Says how to replace each placeholder, such as <moment>, and which parts of the goal no endpoint does.',
      ),
  }),
  run: async ({ goal, media }, { named, context: { models } }) => {
    const { chain, endpoint, ...found } = planGoal(goal, media, models)
    const workflow = chain ? presentWorkflow(chain, models) : null
    const steps = found.steps.map((step) => ({ ...step, tool: named(step.tool) }))
    const notes = found.notes.map(named)
    const lines = steps.map(
      ({ tool, arguments: given, note }, index) => `${index + 1}. ${tool} ${JSON.stringify(given)}: ${note}`,
    )
    const title = workflow ? `Chain: ${workflow.title} (${workflow.id}).` : endpoint && `Endpoint: ${endpoint.id}.`
    return {
      structured: { workflow, ...(endpoint ? { endpoint: endpoint.id } : {}), steps, notes },
      text: [...(title ? [title] : []), ...lines, ...notes].join('\n'),
    }
  },
})
