import { z } from 'zod'
import { getChain } from '../../../src/chains/chains.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { bindKey } from '../../http/idempotency-key.ts'
import { placeOfSetting } from '../../runs/place-of-fields.ts'
import { runPlan, runRequest } from '../../runs/schema.ts'
import { runWorkflow, type WorkflowAnswer } from '../../runs/start.ts'
import { describeRun, toolJob, toolRun } from '../answers.ts'
import { defineTool, lookUpOutside, retryKey, workflowIdArgument } from '../define-tool.ts'
import { refusePlaceholders } from '../plan-calls.ts'

export const createWorkflowJobTool = defineTool({
  name: 'create_workflow_job',
  title: 'Plan or run a chain',
  description:
    'Plans a chain of svc.list_workflows, with a maximum price for each step and for all of them. Mode plan spends nothing. Mode queue_first queues the first job; continue with svc.continue_workflow_job. Mode run_all runs every step under one price limit; wait for its end with svc.get_job and the id of the run. With queue_first and run_all, send an idempotency_key, and repeat it when you retry.',
  auth: 'key',
  annotations: { ...lookUpOutside, readOnlyHint: false, idempotentHint: false },
  input: strictFields(
    { workflow_id: workflowIdArgument, ...runRequest.shape, idempotency_key: retryKey },
    { placeOf: placeOfSetting },
  ),
  output: z.object({
    plan: z.object(runPlan.shape).optional().describe('Left out when an earlier call created the run or the job.'),
    job: toolJob.optional().describe('With queue_first: the first job.'),
    run: toolRun.optional().describe('With run_all. The last step has the result.'),
    deduplicated: z.boolean().describe('An earlier call created it; this call spent nothing.'),
  }),
  run: async ({ workflow_id, idempotency_key: key, ...request }, { context, credential, requestId, signal }) => {
    refusePlaceholders(request)
    const chain = getChain(workflow_id)
    // Bound like the REST route: a retry can come by REST or by this tool.
    const idempotency = bindKey({ key, method: 'POST', path: `/v1/workflows/${chain.id}/runs`, body: request })
    const input = { chain, request, credential, requestId, idempotency, signal }
    const { isRepeat, answer } = await runWorkflow(context, input)
    return { structured: { ...answer, deduplicated: isRepeat }, text: describe(answer) }
  },
})

function describe({ plan, job, run }: WorkflowAnswer): string {
  if (run) return describeRun(run)
  const price = `At most ${plan?.max_price_usd} USD for all steps.`
  if (job)
    return `${price} Job ${job.id} is queued. Next: svc.get_job until it has ended, then svc.continue_workflow_job.`
  return `${price} Nothing was queued. Next: the same arguments with mode run_all or queue_first.`
}
