import { fileURLToPath } from 'node:url'
import { Context } from '@temporalio/activity'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import type { FinishInput } from '../../activities/finish.ts'
import type { Activities, MediaActivities } from '../../activities/index.ts'
import { mediaTaskQueue, workflowTaskQueue } from '../../src/core/task-queues.ts'

// The steps stand in for media and database here, so that each path and each failure can be told apart;
// the same paths with the real steps are proven end to end.

export type Step = keyof Activities | keyof MediaActivities

/** What each step does in place of its work; called again for each attempt. A step that is not named succeeds. */
export type Script = { readonly [Name in Step]?: (attempt: number, workflow: WorkflowHandle) => unknown }

export interface Scene {
  readonly workflow: 'mediaJob' | 'upkeep'
  readonly workflowId: string
  readonly args?: readonly unknown[]
  readonly script: Script
}

export interface Played {
  /** Every attempt of every step, in order. */
  readonly calls: readonly Step[]
  /** What each call of `finish` was told. */
  readonly finished: readonly FinishInput[]
  readonly status: string
  readonly history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>
}

export interface Stage {
  /** Plays one workflow to its end. */
  play(scene: Scene): Promise<Played>
  close(): Promise<void>
}

/** Every step that a workflow can call, as stand-ins. */
export const steps = {
  inspect: 'media',
  run: 'media',
  hold: 'short',
  finish: 'short',
  startWaitingJobs: 'short',
  resendCancellations: 'short',
} satisfies Record<keyof Activities, 'short'> & Record<keyof MediaActivities, 'media'>

/** Today's workflows on a server, with steps that do what a scene's script says. */
export async function openStage(environment: TestWorkflowEnvironment): Promise<Stage> {
  const plays = new Map<string, { script: Script; calls: Step[]; finished: FinishInput[] }>()

  const act = async (step: Step) => {
    const { attempt, workflowExecution } = Context.current().info
    const id = workflowExecution?.workflowId ?? ''
    const play = plays.get(id)
    play?.calls.push(step)
    return play?.script[step]?.(attempt, environment.client.workflow.getHandle(id))
  }
  const activities: Activities = {
    hold: async () => void (await act('hold')),
    finish: async (input) => {
      plays.get(Context.current().info.workflowExecution?.workflowId ?? '')?.finished.push(input)
      await act('finish')
    },
    startWaitingJobs: async () => void (await act('startWaitingJobs')),
    resendCancellations: async () => void (await act('resendCancellations')),
  }
  const media: MediaActivities = {
    inspect: async () =>
      (await act('inspect')) === 'ended' ? { jobEnded: true } : { jobEnded: false, mediaSeconds: 60 },
    run: async () => void (await act('run')),
  }

  const connection = environment.nativeConnection
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))
  const workers = [
    await Worker.create({ connection, taskQueue: workflowTaskQueue, workflowsPath, activities }),
    await Worker.create({ connection, taskQueue: mediaTaskQueue, activities: media, maxHeartbeatThrottleInterval: 50 }),
  ]
  const running = workers.map((worker) => worker.run())

  return {
    play: async ({ workflow, workflowId, args = [], script }) => {
      const record = { script, calls: [], finished: [] }
      plays.set(workflowId, record)
      const taskQueue = workflowTaskQueue
      const handle = await environment.client.workflow.start(workflow, { taskQueue, workflowId, args: [...args] })
      await handle.result().catch(() => {})
      const { status } = await handle.describe()
      const played: Pick<Played, 'calls' | 'finished'> = record
      return { ...played, status: status.name, history: await handle.fetchHistory() }
    },
    close: async () => {
      for (const worker of workers) worker.shutdown()
      await Promise.all(running)
    },
  }
}
