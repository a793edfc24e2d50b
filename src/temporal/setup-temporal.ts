import { setTimeout as delay } from 'node:timers/promises'
import {
  Client,
  Connection,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
} from '@temporalio/client'
import type { Workflow } from '@temporalio/common'
import { workflowTaskQueue } from '../core/task-queues.ts'
import { connectionOptions, noTemporal, type TemporalConfig } from './connection.ts'
import { makeNamespace, makeSearchAttributes, RefusedError } from './setup-namespace.ts'

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
