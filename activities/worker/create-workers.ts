import type { Context } from '@temporalio/activity'
import { type Logger as TemporalLogger, VersioningBehavior } from '@temporalio/common'
import {
  type ActivityInterceptors,
  type InjectedSinks,
  type NativeConnection,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Config } from '../../src/config.ts'
import { installedFile } from '../../src/core/disk.ts'
import type { LogFields, Tracing } from '../../src/telemetry/tracing.ts'
import { traceParentOf } from '../../src/temporal/connection.ts'
import {
  mediaTaskQueue,
  modelTaskQueue,
  shortTaskQueue,
  sourceTaskQueue,
  storageTaskQueue,
  workflowTaskQueue,
} from '../../src/temporal/names.ts'
import type { TraceSinks } from '../../workflows/trace-context.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  createMediaActivities,
  createShortActivities,
  createSourceActivities,
  createWorkflowActivities,
} from '../index.ts'
import { sourceSlots } from '../slots.ts'
import { withErrorTable } from './run-activity.ts'

type WorkerConfig = Pick<
  Config,
  'STORAGE' | 'TEMPORAL_NAMESPACE' | 'WORKER_DEPLOYMENT_NAME' | 'WORKER_BUILD_ID' | 'SHUTDOWN_GRACE_SECONDS'
> & {
  /** The name under which Temporal lists the workers. */
  readonly identity: string
}

/**
 * The SDK has this option, without a type. After its default of 5 s, which a busy machine passes, Node interrupts the workflow, and
 * that can end the process (https://github.com/nodejs/node/issues/38503).
 */
const patient = { isolateExecutionTimeout: '5 minutes' }

/** Of fewer, the share of one unpaid account, a quarter, would be half of them or all. */
const minSharedSlots = 4

/**
 * The workers of a process: one for workflows with their transactions, two for activities that read sources and our storage, and one each
 * for media, short runs and runs with models.
 */
export async function createWorkers(config: WorkerConfig, connection: NativeConnection, deps: Dependencies) {
  const shared = {
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    identity: config.identity,
    ...versioning(config),
    shutdownGraceTime: `${config.SHUTDOWN_GRACE_SECONDS} seconds` as const,
    interceptors: {
      activity: [
        // The outermost, so that the log lines of the others are in the span.
        (context: Context) => traceActivity(context, deps.tracing),
        (context: Context) => ({ inbound: withErrorTable(context, deps.logger) }),
      ],
    },
  }
  const { source, workflowModules } = workflowSource()
  const workflows = await Worker.create({
    ...shared,
    ...source,
    interceptors: { ...shared.interceptors, workflowModules },
    sinks: traceSinks(deps.tracing),
    taskQueue: workflowTaskQueue,
    activities: createWorkflowActivities(deps),
    // A workflow's first task, which is the only one of many jobs, waits in the queue of all workers. By default, a fifth of the polls read it.
    nonStickyToStickyPollRatio: 0.5,
    ...patient,
  })
  // A cancellation reaches an activity with its next heartbeat, so heartbeats are not throttled.
  const activities = { ...shared, maxHeartbeatThrottleInterval: '1 second' } as const
  const sourceWorker = (taskQueue: string, taskSlots: number) =>
    Worker.create({
      ...activities,
      taskQueue,
      activities: createSourceActivities(deps, taskSlots),
      maxConcurrentActivityTaskExecutions: taskSlots,
    })
  const sources = await sourceWorker(sourceTaskQueue, sourceSlots)
  // Activities do not wait for a local disk: more of them than the cores can serve would only delay those of other accounts.
  const storageSlots = config.STORAGE === 'local' ? 2 * deps.cores.total : sourceSlots
  const storage = await sourceWorker(storageTaskQueue, storageSlots)
  const mediaWorker = (taskQueue: string, slots: Parameters<typeof createMediaActivities>[1]) =>
    Worker.create({
      ...activities,
      taskQueue,
      activities: createMediaActivities(deps, slots),
      maxConcurrentActivityTaskExecutions: slots.taskSlots,
    })
  const media = await mediaWorker(mediaTaskQueue, { taskSlots: deps.cores.total })
  // More than the cores: the kernel divides them among all, so a short run ends soon, and a long one loses seconds.
  const sharedSlots = Math.max(minSharedSlots, deps.cores.total)
  const short = await Worker.create({
    ...activities,
    taskQueue: shortTaskQueue,
    activities: createShortActivities(deps, sharedSlots),
    maxConcurrentActivityTaskExecutions: sharedSlots,
  })
  if (deps.modelPool.installed.size === 0) return [workflows, sources, storage, media, short]
  // Short and long runs with models wait in one queue. Those of one account use all cores without the last slot too.
  const models = await mediaWorker(modelTaskQueue, { taskSlots: sharedSlots, maxOfPaid: sharedSlots - 1 })
  return [workflows, sources, storage, media, short, models]
}

/**
 * With a build id, a run stays on the version that took its first task, so that no run changes its code: a job takes
 * minutes, and upkeep ends its run when the current version changes.
 */
function versioning({ WORKER_DEPLOYMENT_NAME: deploymentName, WORKER_BUILD_ID: buildId }: WorkerConfig) {
  if (buildId === undefined) return {}
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: VersioningBehavior.PINNED,
    },
  } satisfies Partial<WorkerOptions>
}

/** The workflows as the build bundled them. Tests run the sources, which are bundled now; that takes seconds and memory. */
function workflowSource() {
  return import.meta.url.endsWith('.js')
    ? { source: { workflowBundle: { codePath: installedFile('workflow-bundle.js') } }, workflowModules: [] }
    : {
        source: { workflowsPath: installedFile('workflows/index.ts') },
        workflowModules: [installedFile('workflows/trace-context.ts')],
      }
}

/** A span around each activity of a traced workflow; Temporal's log lines about the activity also have its id. */
function traceActivity(context: Context, tracing: Tracing): ActivityInterceptors {
  const { activityType, attempt, workflowExecution } = context.info
  let fields: LogFields = {}
  return {
    inbound: {
      execute: (input, next) =>
        tracing.inSpan(
          {
            name: `RunActivity:${activityType}`,
            parent: traceParentOf(input.headers),
            attributes: { 'job.id': workflowExecution?.workflowId, 'job.attempt': attempt },
          },
          () => {
            fields = tracing.logFields()
            return next(input)
          },
        ),
    },
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...fields }) },
  }
}

/** Records the spans of workflow code, which cannot export them itself. */
export function traceSinks(tracing: Tracing): InjectedSinks<TraceSinks> {
  return {
    trace: {
      workflowEnded: {
        fn: ({ workflowType, workflowId }, span) =>
          tracing.recordSpan({ name: `RunWorkflow:${workflowType}`, attributes: { 'job.id': workflowId }, ...span }),
      },
    },
  }
}

/** Logged by every worker that runs only activities. */
const expectedWarning = 'No workflows registered, not polling for workflow tasks'

/** Writes Temporal's log lines to our logger. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const child = logger.child({ component: 'temporal' })
  return {
    log: (level, message, meta) => child[pinoLevels[level]](meta ?? {}, message),
    trace: (message, meta) => child.trace(meta ?? {}, message),
    debug: (message, meta) => child.debug(meta ?? {}, message),
    info: (message, meta) => child.info(meta ?? {}, message),
    warn: (message, meta) => child[message === expectedWarning ? 'debug' : 'warn'](meta ?? {}, message),
    error: (message, meta) => child.error(meta ?? {}, message),
  }
}

const pinoLevels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const
