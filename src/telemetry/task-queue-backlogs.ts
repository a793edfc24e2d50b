import type { Metrics } from './metrics.ts'
import { gaugeRefresher } from './refresh-gauges.ts'

/** What waits for a worker in a Temporal task queue. */
export interface TaskQueueBacklog {
  readonly taskQueue: string
  readonly tasks: number
  /** The age of the oldest task; 0 without tasks. */
  readonly ageSeconds: number
}

/** Four calls of Temporal, which limits calls per namespace. */
const cachedMilliseconds = 15_000

/** Fills the gauges of the task queues from Temporal before a scrape. */
export function taskQueueBacklogReader(
  { describeBacklogs }: { describeBacklogs(): Promise<TaskQueueBacklog[]> },
  { taskQueueBacklog, taskQueueBacklogAgeSeconds }: Pick<Metrics, 'taskQueueBacklog' | 'taskQueueBacklogAgeSeconds'>,
): () => Promise<void> {
  return gaugeRefresher(
    describeBacklogs,
    (backlogs) => {
      taskQueueBacklog.reset()
      taskQueueBacklogAgeSeconds.reset()
      for (const { taskQueue, tasks, ageSeconds } of backlogs) {
        taskQueueBacklog.set({ task_queue: taskQueue }, tasks)
        taskQueueBacklogAgeSeconds.set({ task_queue: taskQueue }, ageSeconds)
      }
    },
    cachedMilliseconds,
  )
}
