import {
  ApplicationFailure,
  CancellationScope,
  executeChild,
  ParentClosePolicy,
  proxyLocalActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { FinishRunInput, NextJob } from '../activities/finish.ts'
import type { Activities } from '../activities/index.ts'
import { transactionOptions } from './activity-options.ts'
import { describeFailure, endingOf, indexFailure } from './failure.ts'
import { mediaJob } from './job.ts'

export interface ChainInput {
  readonly runId: string
}

export interface ChainResult {
  readonly outcome: 'completed'
}

const { nextJob, finishRun } = proxyLocalActivities<Activities>(transactionOptions)

/** A run's life: one job after the other. A step can use the results of the steps before it. Completed jobs stay charged when a later one fails. */
export async function chain({ runId }: ChainInput): Promise<ChainResult> {
  if (workflowInfo().workflowId !== runId) {
    throw ApplicationFailure.nonRetryable('A run runs only under its own id.', 'invalid_request')
  }
  try {
    for (let position = 0; ; position += 1) {
      const next = await nextJob({ runId, position })
      if (next.isDone) break
      setCurrentDetails(`Step ${position + 1}, ${next.endpoint}`)
      await runJob(next)
    }
    await settle({ runId })
    setCurrentDetails('Completed: every step')
    return { outcome: 'completed' }
  } catch (error) {
    const failure = describeFailure(error)
    await settle({ runId, failure })
    indexFailure(failure)
    setCurrentDetails(`Ended before its last step: ${failure.message}`)
    throw endingOf(error, failure)
  }
}

/** Runs the job as its own workflow, which settles the job even if this workflow is terminated. */
async function runJob({ jobId, accountId, summary, searchAttributes }: NextJob): Promise<void> {
  await executeChild(mediaJob, {
    workflowId: jobId,
    args: [{ jobId }],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    staticSummary: summary,
    priority: { fairnessKey: accountId },
    typedSearchAttributes: searchAttributes.map(({ name, value }) => ({ key: { name, type: 'KEYWORD' }, value })),
  })
}

/** Ends the run. Cancellation does not interrupt it. */
async function settle(input: FinishRunInput): Promise<void> {
  await CancellationScope.nonCancellable(() => finishRun(input))
}
