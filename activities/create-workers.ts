import { fileURLToPath } from 'node:url'
import { type NativeConnection, Worker } from '@temporalio/worker'
import type { Config } from '../src/config.ts'
import { mediaTaskQueue, workflowTaskQueue } from '../src/core/task-queues.ts'
import type { Dependencies } from './dependencies.ts'
import { ErrorTableInterceptor } from './errors.ts'
import { createActivities, createMediaActivities } from './index.ts'

type WorkerConfig = Pick<Config, 'TEMPORAL_NAMESPACE' | 'SHUTDOWN_GRACE_SECONDS'>

/** The two workers of a process: workflows with their transactions, and media steps with one slot a core. */
export async function createWorkers(config: WorkerConfig, connection: NativeConnection, deps: Dependencies) {
  const shared = {
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    shutdownGraceTime: `${config.SHUTDOWN_GRACE_SECONDS} seconds` as const,
    interceptors: {
      activity: [
        (context: ConstructorParameters<typeof ErrorTableInterceptor>[0]) => ({
          inbound: new ErrorTableInterceptor(context, deps.logger),
        }),
      ],
    },
  }
  const workflows = await Worker.create({
    ...shared,
    ...workflowSource(),
    taskQueue: workflowTaskQueue,
    activities: createActivities(deps),
  })
  const media = await Worker.create({
    ...shared,
    taskQueue: mediaTaskQueue,
    activities: createMediaActivities(deps),
    maxConcurrentActivityTaskExecutions: deps.cores.total,
    // A cancellation reaches a step with its next heartbeat: let each one through.
    maxHeartbeatThrottleInterval: '1 second',
  })
  return [workflows, media]
}

/** Compiled, the bundle that the build made ahead; from sources, they are bundled now, which takes seconds. */
function workflowSource() {
  const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
  return import.meta.url.endsWith('.js')
    ? { workflowBundle: { codePath: here('../workflow-bundle.js') } }
    : { workflowsPath: here('../workflows/index.ts') }
}
