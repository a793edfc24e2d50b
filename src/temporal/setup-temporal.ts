import { setTimeout as delay } from 'node:timers/promises'
import {
  Client,
  Connection,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
} from '@temporalio/client'
import type { Workflow } from '@temporalio/common'
import { msToTs } from '@temporalio/common/lib/time.js'
import {
  connectionOptions,
  grpcAlreadyExists,
  grpcNotFound,
  grpcPermissionDenied,
  grpcUnimplemented,
  hasGrpcCode,
  noTemporal,
  type TemporalConfig,
} from './connection.ts'
import { searchAttributes, workflowTaskQueue } from './names.ts'

const readyWithinMilliseconds = 30_000

export const upkeepScheduleId = 'upkeep'
export const closeMonthScheduleId = 'close-month'
const upkeepEverySeconds = 30
/** An hour: each run of upkeep is a row in the Web UI's list of workflows. */
const upkeepPasses = 120

/**
 * Creates the namespace, its search attributes and its schedules if they are missing, and waits until they can be
 * used. On Temporal Cloud it can create only the schedules: a RefusedError says in one line what to create there.
 */
export async function setupTemporal(config: TemporalConfig, upkeepEvery = upkeepEverySeconds): Promise<void> {
  const connection = await Connection.connect(connectionOptions(config)).catch((error: unknown) => {
    throw noTemporal(config, error)
  })
  const namespace = config.TEMPORAL_NAMESPACE
  try {
    await makeNamespace(connection, namespace)
    await untilReady(() => makeSearchAttributes(connection, namespace))
    const client = new Client({ connection, namespace })
    await untilReady(() => makeSchedule(client, upkeepScheduleId, upkeepSchedule(upkeepEvery)))
    await untilReady(() => makeSchedule(client, closeMonthScheduleId, closeMonthSchedule))
  } finally {
    await connection.close()
  }
}

type WantedSchedule = Pick<
  ScheduleOptions<ScheduleOptionsStartWorkflowAction<Workflow>>,
  'spec' | 'policies' | 'action'
>

/** Starts a run of upkeep within seconds after the last one ended, in any way, and never two simultaneously. */
function upkeepSchedule(everySeconds: number): WantedSchedule {
  return {
    spec: { intervals: [{ every: `${everySeconds} seconds` }] },
    policies: { overlap: 'SKIP', catchupWindow: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: 'upkeep',
      taskQueue: workflowTaskQueue,
      args: [{ passes: upkeepPasses, pauseSeconds: everySeconds }],
      workflowExecutionTimeout: '2 hours',
      staticSummary: `repairs and deletions, every ${everySeconds} seconds`,
    },
  }
}

/** On the first of each month, some hours after its start: most jobs of the month before have ended. A server that was down catches up. */
const closeMonthSchedule: WantedSchedule = {
  spec: { calendars: [{ dayOfMonth: 1, hour: 4 }], timezone: 'UTC' },
  policies: { overlap: 'SKIP', catchupWindow: '20 days' },
  action: {
    type: 'startWorkflow',
    workflowType: 'closeMonth',
    taskQueue: workflowTaskQueue,
    args: [],
    staticSummary: 'invoices of the month before',
  },
}

/** Creates a schedule, or updates one from an earlier version; keeps an operator's pause. */
async function makeSchedule({ schedule }: Client, scheduleId: string, wanted: WantedSchedule): Promise<void> {
  try {
    await schedule.create({ scheduleId, ...wanted })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    await schedule.getHandle(scheduleId).update(({ state }) => ({ ...wanted, state }))
  }
}

/** Retries, because the server's caches know a new namespace only after a moment. */
export async function untilReady(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + readyWithinMilliseconds
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (error instanceof RefusedError || Date.now() > end) throw error
      await delay(100)
    }
  }
}

const keyword = 2
const retention = msToTs('7 days')

/** The server does not allow this call, as on Temporal Cloud; waiting does not help. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** Creates the namespace if it is missing. */
async function makeNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  try {
    await workflowService.describeNamespace({ namespace })
  } catch (error) {
    if (isRefusal(error)) {
      const hint = 'check TEMPORAL_NAMESPACE and TEMPORAL_API_KEY'
      throw new RefusedError(`Temporal does not let us see the namespace ${namespace}: ${hint}`, { cause: error })
    }
    if (!hasGrpcCode(error, grpcNotFound)) throw error
    await registerNamespace({ workflowService }, namespace)
  }
}

async function registerNamespace({ workflowService }: Pick<Connection, 'workflowService'>, namespace: string) {
  try {
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
  } catch (error) {
    if (hasGrpcCode(error, grpcAlreadyExists)) return
    if (!isRefusal(error)) throw error
    const hint = 'make it in the console of Temporal Cloud or with tcld'
    throw new RefusedError(`The namespace ${namespace} does not exist: ${hint}`, { cause: error })
  }
}

/** Creates missing search attributes; throws until all of them can be used. */
export async function makeSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const known = await knownSearchAttributes(connection, namespace)
  const missing = searchAttributes.map(({ name }) => name).filter((name) => !known.includes(name))
  if (missing.length === 0) {
    // Refused until the server's cache has them.
    const query = searchAttributes.map(({ name }) => `${name} = 'any'`).join(' OR ')
    await connection.workflowService.countWorkflowExecutions({ namespace, query })
    return
  }
  try {
    const added = Object.fromEntries(missing.map((name) => [name, keyword]))
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: added })
  } catch (error) {
    if (isRefusal(error)) {
      const what = `the search attributes ${new Intl.ListFormat('en').format(missing)}, of type Keyword`
      const hint = 'add them in the console of Temporal Cloud or with tcld'
      throw new RefusedError(`The namespace ${namespace} lacks ${what}: ${hint}`, { cause: error })
    }
    if (!hasGrpcCode(error, grpcAlreadyExists)) throw error
  }
  throw new Error('search attributes are not ready yet')
}

async function knownSearchAttributes(
  { operatorService, workflowService }: Connection,
  namespace: string,
): Promise<string[]> {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    return Object.keys(customAttributes ?? {})
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { config } = await workflowService.describeNamespace({ namespace })
    return Object.values(config?.customSearchAttributeAliases ?? {})
  }
}

function isRefusal(error: unknown): boolean {
  return hasGrpcCode(error, grpcPermissionDenied) || hasGrpcCode(error, grpcUnimplemented)
}

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
