import type { Connection } from '@temporalio/client'
import { taskQueues, workflowTaskQueue } from '../core/task-queues.ts'
import { isConfinedWorker } from './worker-identity.ts'

/** A long poll lasts a minute, so that a worker that lives is seen within it. */
const pollerSeconds = 70

// temporal.api.enums.v1.TaskQueueType
const workflowType = 1
const activityType = 2

export interface WorkerCount {
  readonly count: number
  /** Those that confine ffmpeg. */
  readonly confined: number
}

/** How many workers polled every task queue in the last 70 seconds: the fewest of any queue. `bounded` limits each call. */
export async function countWorkers(
  { workflowService }: Pick<Connection, 'workflowService'>,
  namespace: string,
  bounded: <T>(call: () => Promise<T>) => Promise<T>,
): Promise<WorkerCount> {
  const since = Date.now() / 1000 - pollerSeconds
  const counts = await Promise.all(
    taskQueues.map(async (name) => {
      const taskQueueType = name === workflowTaskQueue ? workflowType : activityType
      const { pollers } = await bounded(() =>
        workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType }),
      )
      const live = (pollers ?? []).filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) >= since)
      return { count: live.length, confined: live.filter(({ identity }) => isConfinedWorker(identity)).length }
    }),
  )
  return {
    count: Math.min(...counts.map(({ count }) => count)),
    confined: Math.min(...counts.map((each) => each.confined)),
  }
}
