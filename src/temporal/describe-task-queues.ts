import type { Connection } from '@temporalio/client'
import type { TaskQueueBacklog } from '../telemetry/metrics-server.ts'
import { isConfinedWorker } from './connection.ts'
import { modelTaskQueue, taskQueues, workflowTaskQueue } from './names.ts'

/** A long poll lasts a minute, so that a worker that lives is seen within it. */
const pollerSeconds = 70

// temporal.api.enums.v1.TaskQueueType
const workflowType = 1
const activityType = 2

/** What waits in a task queue: workflow tasks, or those of activities. */
export function taskQueueTypeOf(taskQueue: string): number {
  return taskQueue === workflowTaskQueue ? workflowType : activityType
}

export interface WorkerCount {
  readonly count: number
  /** The workers that confine ffmpeg. */
  readonly confined: number
}

/** The connection for calls in one namespace. `bounded` gives each call a time limit. */
export interface NamespaceCalls {
  readonly connection: Pick<Connection, 'workflowService'>
  readonly namespace: string
  readonly bounded: <T>(call: () => Promise<T>) => Promise<T>
}

/**
 * The number of workers that polled every task queue in the last 70 seconds: the smallest number of any queue. Workers without models
 * do not poll theirs.
 */
export async function countWorkers(calls: NamespaceCalls): Promise<WorkerCount> {
  const since = Date.now() / 1000 - pollerSeconds
  const described = await describeTaskQueues(calls)
  const counts = described
    .filter(({ taskQueue }) => taskQueue !== modelTaskQueue)
    .map(({ pollers }) => {
      const live = (pollers ?? []).filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) >= since)
      return { count: live.length, confined: live.filter(({ identity }) => isConfinedWorker(identity)).length }
    })
  return {
    count: Math.min(...counts.map(({ count }) => count)),
    confined: Math.min(...counts.map((each) => each.confined)),
  }
}

/** The tasks of each task queue that wait for a worker, as Temporal estimates them. */
export async function describeBacklogs(calls: NamespaceCalls): Promise<TaskQueueBacklog[]> {
  const described = await describeTaskQueues(calls)
  return described.map(({ taskQueue, stats }) => {
    const { seconds, nanos } = stats?.approximateBacklogAge ?? {}
    return {
      taskQueue,
      tasks: Number(stats?.approximateBacklogCount ?? 0),
      ageSeconds: Number(seconds ?? 0) + (nanos ?? 0) / 1e9,
    }
  })
}

async function describeTaskQueues({ connection: { workflowService }, namespace, bounded }: NamespaceCalls) {
  return Promise.all(
    taskQueues.map(async (taskQueue) => {
      const taskQueueType = taskQueueTypeOf(taskQueue)
      const { pollers, stats } = await bounded(() =>
        workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: taskQueue },
          taskQueueType,
          reportStats: true,
        }),
      )
      return { taskQueue, pollers, stats }
    }),
  )
}
