import {
  Client,
  Connection,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client'
import { taskQueues, workflowTaskQueue } from '../core/task-queues.ts'
import { noTracing, type Tracing } from '../telemetry/tracing.ts'
import { connectionOptions, type TemporalConfig } from './connection.ts'
import { accountIdAttribute, endpointAttribute } from './search-attributes.ts'
import { withTraceParent } from './trace-header.ts'

/** For calls that callers wait for. */
const answerMilliseconds = 1_000
/** For starts, which no caller waits for: a slow server can still take the job, which upkeep would otherwise start. */
const startMilliseconds = 5_000
const jobWorkflow = 'mediaJob'
const chainWorkflow = 'chain'
const probeWorkflow = 'probe'
const closedStatuses: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT'])

export interface StartJobInput {
  readonly jobId: string
  readonly accountId: string
  readonly endpoint: string
  /** One line for operators, such as `audio/detect-silence · interview.mp4`. No URL, no secret. */
  readonly summary: string
  /** Trace context of the request that created the job, from the job's row. */
  readonly traceParent?: string | null
}

export interface StartRunInput extends Pick<StartJobInput, 'accountId' | 'summary' | 'traceParent'> {
  readonly runId: string
}

export interface StartProbeInput {
  readonly probeId: string
  readonly accountId: string
}

type StartOptions = Omit<WorkflowStartOptions, 'taskQueue' | 'workflowIdReusePolicy'>

/** The API's client of Temporal. Every call has a time limit: without the server it rejects within about a second, a start within five. */
export interface JobClient {
  /** Starts the job's workflow; succeeds if it was already started. */
  start(input: StartJobInput): Promise<void>
  /** Starts the run's workflow, which starts the workflows of its jobs; succeeds if it was already started. */
  startRun(input: StartRunInput): Promise<void>
  /** Starts the workflow that reads the media of an estimate. */
  startProbe(input: StartProbeInput): Promise<void>
  /** Requests cancellation of the job's workflow; false if it is not running. */
  cancel(jobId: string): Promise<boolean>
  /** Whether the workflow of the job or run is still open; false if the server does not know it. */
  isOpen(id: string): Promise<boolean>
  /** Throws if the server cannot be reached. */
  ping(): Promise<void>
  /** The number of workers that polled every task queue in the last 70 seconds. */
  countWorkers(): Promise<number>
  close(): Promise<void>
}

export function createJobClient(config: TemporalConfig, tracing: Tracing = noTracing): JobClient {
  const connection = Connection.lazy(connectionOptions(config))
  const client = new Client({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
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

  const startOnce = async (workflow: string, options: StartOptions) => {
    try {
      await bounded(
        () =>
          client.workflow.start(workflow, {
            taskQueue: workflowTaskQueue,
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            ...options,
          }),
        startMilliseconds,
      )
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
  }

  const startJob = ({ jobId, accountId, endpoint, summary }: StartJobInput) =>
    startOnce(jobWorkflow, {
      workflowId: jobId,
      args: [{ jobId }],
      staticSummary: summary,
      priority: { fairnessKey: accountId },
      typedSearchAttributes: [
        { key: accountIdAttribute, value: accountId },
        { key: endpointAttribute, value: endpoint },
      ],
    })

  return {
    start: (job) =>
      tracing.inSpan(
        {
          name: `StartWorkflow:${jobWorkflow}`,
          kind: 'client',
          parent: job.traceParent ?? null,
          attributes: { 'job.id': job.jobId, 'job.endpoint': job.endpoint },
        },
        () => startJob(job),
      ),
    startRun: ({ runId, accountId, summary, traceParent }) =>
      tracing.inSpan(
        {
          name: `StartWorkflow:${chainWorkflow}`,
          kind: 'client',
          parent: traceParent ?? null,
          attributes: { 'run.id': runId },
        },
        () =>
          startOnce(chainWorkflow, {
            workflowId: runId,
            args: [{ runId }],
            staticSummary: summary,
            priority: { fairnessKey: accountId },
            typedSearchAttributes: [{ key: accountIdAttribute, value: accountId }],
          }),
      ),
    startProbe: ({ probeId, accountId }) =>
      startOnce(probeWorkflow, {
        workflowId: probeId,
        workflowExecutionTimeout: '1 minute',
        args: [{ probeId }],
        staticSummary: 'media of an estimate',
        priority: { fairnessKey: accountId },
        typedSearchAttributes: [{ key: accountIdAttribute, value: accountId }],
      }),
    cancel: async (jobId) => {
      try {
        await bounded(() => client.workflow.getHandle(jobId).cancel())
        return true
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false
        throw error
      }
    },
    isOpen: async (id) => {
      try {
        const { status } = await bounded(() => client.workflow.getHandle(id).describe())
        return !closedStatuses.has(status.name)
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false
        throw error
      }
    },
    ping: async () => {
      await bounded(() => connection.workflowService.getSystemInfo({}))
    },
    countWorkers: async () => {
      const since = Date.now() - 70_000
      const counts = await Promise.all(
        taskQueues.map(async (name) => {
          const kind = name === workflowTaskQueue ? 1 : 2
          const { pollers } = await bounded(() =>
            connection.workflowService.describeTaskQueue({
              namespace: config.TEMPORAL_NAMESPACE,
              taskQueue: { name },
              taskQueueType: kind,
            }),
          )
          return (pollers ?? []).filter((poller) => Number(poller.lastAccessTime?.seconds ?? 0) * 1000 >= since).length
        }),
      )
      return Math.min(...counts)
    },
    close: async () => {
      // Waits for pending calls: the client retries on its own timers, which would throw uncaught on a closed connection.
      await Promise.allSettled(pending)
      await connection.close()
    },
  }
}
