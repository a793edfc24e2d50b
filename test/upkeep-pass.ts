import type { Client } from '@temporalio/client'
import { workflowTaskQueue } from '../src/core/task-queues.ts'

/** Starts one pass of upkeep beside the run of the schedule, so that no test waits for that; joins a pass that runs already. */
export async function startUpkeepPass({ workflow }: Client) {
  return workflow.start('upkeep', {
    taskQueue: workflowTaskQueue,
    workflowId: 'upkeep-of-a-test',
    workflowIdConflictPolicy: 'USE_EXISTING',
  })
}
