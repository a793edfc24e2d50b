import type { Client } from '@temporalio/client'
import { workflowTaskQueue } from '../src/temporal/names.ts'

/** Starts one pass of upkeep beside the schedule's run, so that no test waits for that; joins a running pass. */
export async function startUpkeepPass({ workflow }: Client) {
  return workflow.start('upkeep', {
    taskQueue: workflowTaskQueue,
    workflowId: 'upkeep-of-a-test',
    workflowIdConflictPolicy: 'USE_EXISTING',
  })
}
