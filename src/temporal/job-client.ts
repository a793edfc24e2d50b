import {
  Client,
  Connection,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client'
import type { TaskQueueBacklog } from '../telemetry/metrics-server.ts'
import { noTracing, type Tracing } from '../telemetry/tracing.ts'
import {
  connectionOptions,
  grpcNotFound,
  hasGrpcCode,
  isConfinedWorker,
  NoNamespaceError,
  type TemporalConfig,
  withTraceParent,
} from './connection.ts'
import { modelTaskQueue, type StartAttributes, startAttributes, taskQueues, workflowTaskQueue } from './names.ts'

/** For calls that callers wait for. */
const answerMilliseconds = 1_000
/** For starts, for which no caller waits. A slow server may still take the job; if it does not, upkeep starts it. */
const startMilliseconds = 5_000
const closedStatuses: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT'])

/** The API's client of Temporal. Every call has a time limit: without the server it rejects within about a second, a start within five. */
export interface JobClient {
  /** Starts the job's workflow; succeeds if it was already started. */
  start(input: StartJobInput): Promise<void>
  /** Starts the run's workflow, which starts the workflows of its jobs; succeeds if it was already started. */
  startRun(input: StartRunInput): Promise<void>
  /** Starts the workflow that reads the media of an estimate. */
  startProbe(input: StartProbeInput): Promise<void>
  /** Starts the workflow that sends to a webhook endpoint; succeeds if it runs. */
  startDeliveries(input: StartDeliveriesInput): Promise<void>
  /** Starts the workflow that starts the runs of an account's batches; succeeds if it runs. */
  startItems(input: StartItemsInput): Promise<void>
  /** Requests cancellation of the workflow of the job or run; false if it is not running. */
  cancel(id: string): Promise<boolean>
  /** Whether the workflow of the job or run is still open; false if the server does not know it. */
  isOpen(id: string): Promise<boolean>
  /** Throws if the server cannot be reached. */
  ping(): Promise<void>
  /** The number of workers that polled every task queue in the last 70 seconds. Throws a NoNamespaceError without the namespace. */
  countWorkers(): Promise<WorkerCount>
  /** What waits for a worker in each task queue. */
  describeBacklogs(): Promise<TaskQueueBacklog[]>
  close(): Promise<void>
}

export function createJobClient(config: TemporalConfig, tracing: Tracing = noTracing): JobClient {
  const connection = Connection.lazy(connectionOptions(config))
  const namespace = config.TEMPORAL_NAMESPACE
  const client = new Client({
    connection,
    namespace,
    interceptors: {
      workflow: [
        {
          startWithDetails: (input, next) =>
            next({ ...input, headers: withTraceParent(input.headers, tracing.traceParent()) }),
        },
      ],
    },
  })
  const pending = new Set<Promise<unknown>>()
  const bounded = <T>(call: () => Promise<T>, milliseconds = answerMilliseconds): Promise<T> => {
    const answer = client.withDeadline(Date.now() + milliseconds, call)
    pending.add(answer)
    return answer.finally(() => pending.delete(answer))
  }

  const startOnce = async ({ workflow, options }: WorkflowStart) => {
    try {
      await bounded(() => client.workflow.start(workflow, options), startMilliseconds)
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
  }
  const startInSpan = (start: WorkflowStart, parent: string | null | undefined, attributes: Record<string, string>) =>
    tracing.inSpan(
      { name: `StartWorkflow:${start.workflow}`, kind: 'client', parent: parent ?? null, attributes },
      () => startOnce(start),
    )
  const ifKnown = async (id: string, ask: (handle: WorkflowHandle) => Promise<boolean>) => {
    try {
      return await bounded(() => ask(client.workflow.getHandle(id)))
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false
      throw error
    }
  }

  return {
    start: (job) => startInSpan(jobStart(job), job.traceParent, { 'job.id': job.jobId, 'job.endpoint': job.endpoint }),
    startRun: (run) => startInSpan(runStart(run), run.traceParent, { 'run.id': run.runId }),
    startProbe: (probe) => startOnce(probeStart(probe)),
    startDeliveries: (input) => startOnce(deliveriesStart(input)),
    startItems: (input) => startOnce(itemsStart(input)),
    cancel: (id) =>
      ifKnown(id, async (workflow) => {
        await workflow.cancel()
        return true
      }),
    isOpen: (id) => ifKnown(id, async (workflow) => !closedStatuses.has((await workflow.describe()).status.name)),
    ping: async () => {
      await bounded(() => connection.workflowService.getSystemInfo({}))
    },
    countWorkers: () =>
      countWorkers({ connection, namespace, bounded }).catch((error: unknown) => {
        throw hasGrpcCode(error, grpcNotFound) ? new NoNamespaceError(config, error) : error
      }),
    describeBacklogs: () => describeBacklogs({ connection, namespace, bounded }),
    close: async () => {
      // Waits for pending calls: the client retries on its own timers, which would throw uncaught on a closed connection.
      await Promise.allSettled(pending)
      await connection.close()
    },
  }
}

interface StartJobInput {
  readonly jobId: string
  readonly accountId: string
  readonly endpoint: string
  /** The key that created the job, if a key did. */
  readonly keyId?: string | null
  /** One line for operators, such as `audio/detect-silence · upl_…`. No URL, no secret, no name of a file. */
  readonly summary: string
  /** Trace context of the request that created the job, from the job's row. */
  readonly traceParent?: string | null
}

interface StartRunInput extends Pick<StartJobInput, 'accountId' | 'keyId' | 'summary' | 'traceParent'> {
  readonly runId: string
}

export interface StartProbeInput {
  readonly probeId: string
  readonly accountId: string
  /** Whether the media is in our own storage. */
  readonly isStored: boolean
}

export interface StartDeliveriesInput {
  readonly endpointId: string
  readonly accountId: string
}

export type StartItemsInput = Pick<StartDeliveriesInput, 'accountId'>

/** A workflow to start. Temporal starts it once, because its id is that of a row. */
interface WorkflowStart {
  readonly workflow: 'mediaJob' | 'chain' | 'probe' | 'deliverWebhooks' | 'startBatchItems'
  readonly options: WorkflowStartOptions
}

function ofAccount(about: StartAttributes) {
  return {
    taskQueue: workflowTaskQueue,
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    priority: { fairnessKey: about.accountId },
    typedSearchAttributes: startAttributes(about),
  } as const
}

function jobStart({ jobId, summary, ...about }: StartJobInput): WorkflowStart {
  return {
    workflow: 'mediaJob',
    options: { ...ofAccount(about), workflowId: jobId, args: [{ jobId }], staticSummary: summary },
  }
}

function runStart({ runId, summary, ...about }: StartRunInput): WorkflowStart {
  return {
    workflow: 'chain',
    options: { ...ofAccount(about), workflowId: runId, args: [{ runId }], staticSummary: summary },
  }
}

function probeStart({ probeId, accountId, isStored }: StartProbeInput): WorkflowStart {
  return {
    workflow: 'probe',
    options: {
      ...ofAccount({ accountId }),
      workflowId: probeId,
      workflowExecutionTimeout: '1 minute',
      args: [{ probeId, isStored }],
      staticSummary: 'media of an estimate',
    },
  }
}

/** The workflow ends when nothing is due soon, and another one begins later. A start that finds it running costs no action. */
const whileDue = { workflowIdReusePolicy: 'ALLOW_DUPLICATE', workflowIdConflictPolicy: 'USE_EXISTING' } as const

function itemsStart({ accountId }: StartItemsInput): WorkflowStart {
  return {
    workflow: 'startBatchItems',
    options: {
      ...{ ...ofAccount({ accountId }), ...whileDue },
      workflowId: `batches/${accountId}`,
      args: [{ accountId }],
      staticSummary: 'runs of batches and directives',
    },
  }
}

function deliveriesStart({ endpointId, accountId }: StartDeliveriesInput): WorkflowStart {
  return {
    workflow: 'deliverWebhooks',
    options: {
      ...{ ...ofAccount({ accountId }), ...whileDue },
      workflowId: `webhooks/${endpointId}`,
      args: [{ endpointId, accountId }],
      staticSummary: 'deliveries to a webhook endpoint',
    },
  }
}

/** A long poll lasts a minute, so that a worker that lives is seen within it. */
const pollerSeconds = 70

// temporal.api.enums.v1.TaskQueueType
const workflowType = 1
const activityType = 2

/** What waits in a task queue: workflow tasks, or those of activities. */
export function taskQueueTypeOf(taskQueue: string): number {
  return taskQueue === workflowTaskQueue ? workflowType : activityType
}

interface WorkerCount {
  readonly count: number
  /** The workers that confine ffmpeg. */
  readonly confined: number
}

/** The connection for calls in one namespace. `bounded` gives each call a time limit. */
interface NamespaceCalls {
  readonly connection: Pick<Connection, 'workflowService'>
  readonly namespace: string
  readonly bounded: <T>(call: () => Promise<T>) => Promise<T>
}

/**
 * The number of workers that polled every task queue in the last 70 seconds: the smallest number of any queue. Workers without models
 * do not poll theirs.
 */
async function countWorkers(calls: NamespaceCalls): Promise<WorkerCount> {
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
async function describeBacklogs(calls: NamespaceCalls): Promise<TaskQueueBacklog[]> {
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
