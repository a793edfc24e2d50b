import { Context } from '@temporalio/activity'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import type { FinishInput, FinishRunInput } from '../../activities/finish.ts'
import type { Activities, MediaActivities, ShortActivities, SourceActivities } from '../../activities/index.ts'
import type { InspectAndRunResult } from '../../activities/short-job.ts'
import {
  type Deferral,
  isDeferral,
  mediaTaskQueue,
  modelTaskQueue,
  shortTaskQueue,
  sourceTaskQueue,
  storageTaskQueue,
  workflowTaskQueue,
} from '../../src/temporal/names.ts'
import { workflowModules, workflowsPath } from './workflow-code.ts'

// The steps replace media and database here, so that each path and each failure can be tested separately. End-to-end tests
// prove the same paths with the real steps.

export type Step =
  | keyof Activities
  | keyof SourceActivities
  | keyof MediaActivities
  | 'run among sources'
  | 'runPart among sources'
  | 'run among models'
  | `${keyof ShortActivities} among short ones`
  | `${keyof SourceActivities} from storage`

/** What each step does instead of its work, at each attempt. Unnamed steps succeed. */
export type Script = { readonly [Name in Step]?: (attempt: number, workflow: WorkflowHandle, part?: number) => unknown }

export interface Scene {
  readonly workflow: 'mediaJob' | 'chain' | 'probe' | 'upkeep' | 'closeMonth' | 'deliverWebhooks' | 'startBatchItems'
  readonly workflowId: string
  readonly args?: readonly unknown[]
  readonly script: Script
}

export interface Played {
  /** Every attempt of every step, in order. */
  readonly calls: readonly Step[]
  /** The inputs of all calls of `finish` and `finishRun`. */
  readonly finished: readonly (FinishInput | FinishRunInput)[]
  readonly status: string
  /** The result or the failure. */
  readonly result: unknown
  readonly history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>
}

export interface Stage {
  /** All steps that a workflow can schedule. */
  readonly steps: readonly string[]
  /** Plays one workflow to its end. */
  play(scene: Scene): Promise<Played>
  close(): Promise<void>
}

interface Play {
  readonly script: Script
  readonly calls: Step[]
  readonly finished: (FinishInput | FinishRunInput)[]
  /** The id of the workflow that the scene starts; its children use the same script. */
  readonly root: string
}

/** The number of jobs of a run. */
const chainLength = 2
/** The number of parts of a job that splits. */
const partsOfJob = 3

/** The current workflows on a server, with steps that follow a scene's script. */
export async function openStage(environment: TestWorkflowEnvironment): Promise<Stage> {
  const plays = new Map<string, Play>()

  const act = async (step: Step, part?: number) => {
    const { attempt, workflowExecution } = Context.current().info
    const id = workflowExecution?.workflowId ?? ''
    const play = plays.get(id)
    play?.calls.push(step)
    return play?.script[step]?.(attempt, environment.client.workflow.getHandle(play.root), part)
  }
  /** The result of an inspection in words. */
  const inspected = (told: unknown): Deferral | InspectAndRunResult => {
    if (told === 'ended') return { jobEnded: true }
    if (isDeferral(told)) return told
    const is = (word: string) => String(told).split(' ').includes(word)
    const [isStreamed, isSplit, isShort] = [is('streamed'), is('split'), is('short')]
    const usesModels = is('models')
    const finished = is('finished') && { isCompleted: !is('canceled') }
    const inspection = { mediaSeconds: 60, isStreamed, isSplit, isShort, usesModels }
    return { jobEnded: false, ...inspection, ...(finished && { finished }) }
  }
  const nextIn = (told: unknown) => (typeof told === 'number' ? { nextInMs: told } : {})
  const activities: Activities = {
    reuse: async () => {
      const told = await act('reuse')
      const isOnDisk = told === 'on disk'
      const isStored = told === 'stored' || isOnDisk
      return told !== undefined && !isStored
        ? { isAnswered: true, isCompleted: told !== 'canceled' }
        : { isAnswered: false, isStored, isOnDisk }
    },
    startItems: async () => nextIn(await act('startItems')),
    hold: async () => void (await act('hold')),
    finish: async (input) => {
      plays.get(Context.current().info.workflowExecution?.workflowId ?? '')?.finished.push(input)
      return { isCompleted: (await act('finish')) !== 'canceled' }
    },
    nextJob: async ({ runId, position }) => {
      await act('nextJob')
      if (position === chainLength) return { isDone: true }
      const jobId = `${runId}-job-${position}`
      plays.set(jobId, { script: plays.get(runId)?.script ?? {}, calls: [], finished: [], root: runId })
      return {
        isDone: false,
        jobId,
        accountId: 'acct_a',
        endpoint: 'audio/detect-silence',
        summary: 'a step',
        searchAttributes: [],
      }
    },
    finishRun: async (input) => {
      plays.get(input.runId)?.finished.push(input)
      await act('finishRun')
    },
    deliverDue: async () => {
      const told = await act('deliverDue')
      if (isDeferral(told)) return told
      return nextIn(told)
    },
    closeAccounts: async ({ afterId }) => {
      const told = await act('closeAccounts')
      return { lastId: told === 'two pages' && afterId === '' ? 'acct_a' : null, failed: told === 'failed' ? 1 : 0 }
    },
    upkeepPass: async () => {
      const hasFailed = await act('upkeepPass')
      return { repaired: { startAdmittedJobs: 2 }, failed: hasFailed ? ['resendCancellations'] : [] }
    },
  }
  const sources: SourceActivities = {
    inspect: async () => inspected(await act('inspect')),
    planParts: async () => {
      const told = await act('planParts')
      if (isDeferral(told)) return told
      const count = typeof told === 'number' ? told : partsOfJob
      const shares = Array.from({ length: count }, () => 1 / count)
      return { shares, ...(told === 'shorter last' && { shorterLast: 1 }) }
    },
    runPart: async ({ part }) => {
      const told = await act('runPart among sources', part)
      return isDeferral(told) ? told : undefined
    },
    probeMedia: async () => {
      const told = await act('probeMedia')
      return isDeferral(told) ? told : undefined
    },
    run: async () => {
      const told = await act('run among sources')
      return isDeferral(told) ? told : undefined
    },
  }
  const media: MediaActivities = {
    run: async () => void (await act('run')),
    runPart: async ({ part }) => {
      const told = await act('runPart', part)
      return isDeferral(told) ? told : undefined
    },
  }
  const short: ShortActivities = {
    inspectAndRun: async () => inspected(await act('inspectAndRun among short ones')),
    run: async () => {
      const told = await act('run among short ones')
      return isDeferral(told) ? told : undefined
    },
  }

  const models: MediaActivities = { ...media, run: async () => void (await act('run among models')) }

  const connection = environment.nativeConnection
  const workers = [
    await Worker.create({
      connection,
      taskQueue: workflowTaskQueue,
      workflowsPath,
      interceptors: { workflowModules },
      activities,
    }),
    ...(await Promise.all(
      [sourceTaskQueue, storageTaskQueue].map((taskQueue) =>
        Worker.create({ connection, taskQueue, activities: sources, maxHeartbeatThrottleInterval: 50 }),
      ),
    )),
    await Worker.create({ connection, taskQueue: mediaTaskQueue, activities: media, maxHeartbeatThrottleInterval: 50 }),
    await Worker.create({
      connection,
      taskQueue: modelTaskQueue,
      activities: models,
      maxHeartbeatThrottleInterval: 50,
    }),
    await Worker.create({ connection, taskQueue: shortTaskQueue, activities: short, maxHeartbeatThrottleInterval: 50 }),
  ]
  const running = workers.map((worker) => worker.run())

  return {
    steps: [...Object.keys({ ...activities, ...sources, ...media }), 'inspectAndRun among short ones'],
    play: async ({ workflow, workflowId, args = [], script }) => {
      const record: Play = { script, calls: [], finished: [], root: workflowId }
      plays.set(workflowId, record)
      const handle = await environment.client.workflow.start(workflow, {
        taskQueue: workflowTaskQueue,
        workflowId,
        args: [...args],
        // A cancellation during a transaction arrives after four fifths of this; the default is 10 s.
        workflowTaskTimeout: '2 seconds',
      })
      const result: unknown = await handle.result().catch((error: unknown) => error)
      const { status } = await handle.describe()
      const played: Pick<Played, 'calls' | 'finished'> = record
      return { ...played, status: status.name, result, history: await handle.fetchHistory() }
    },
    close: async () => {
      for (const worker of workers) worker.shutdown()
      await Promise.all(running)
    },
  }
}
