import type { Client } from '@temporalio/client'
import { upkeepScheduleId } from './setup-temporal.ts'

const runningUpkeep = 'WorkflowType = "upkeep" AND ExecutionStatus = "Running"'

/** Stops upkeep until `resumeUpkeep`. Set-up keeps the pause. */
export async function pauseUpkeep({ schedule, workflow }: Client, reason: string): Promise<void> {
  // First the schedule, which would replace a canceled run.
  await schedule.getHandle(upkeepScheduleId).pause(reason)
  for await (const { workflowId, runId } of workflow.list({ query: runningUpkeep })) {
    await workflow.getHandle(workflowId, runId).cancel()
  }
}

/** The first pass begins immediately, or when a run that `pauseUpkeep` canceled has ended. */
export async function resumeUpkeep({ schedule }: Client): Promise<void> {
  const handle = schedule.getHandle(upkeepScheduleId)
  await handle.unpause('resumed')
  // The default of a trigger starts a run beside one that is running.
  await handle.trigger('BUFFER_ONE')
}
