import { setTimeout as delay } from 'node:timers/promises'
import {
  Client,
  Connection,
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
} from '@temporalio/client'
import type { Workflow } from '@temporalio/common'
import { msToTs } from '@temporalio/common/lib/time.js'
import { workflowTaskQueue } from '../core/task-queues.ts'
import { connectionOptions, type TemporalConfig } from './connection.ts'
import { searchAttributes } from './search-attributes.ts'

const alreadyExists = 6
const keyword = 2
const retention = msToTs('7 days')
const readyWithinMilliseconds = 30_000

export const upkeepScheduleId = 'upkeep'
const upkeepEverySeconds = 30

/** Makes the namespace, its search attributes and the upkeep schedule where they are missing, and waits until they can be used. */
export async function setupTemporal(config: TemporalConfig): Promise<void> {
  const connection = await Connection.connect(connectionOptions(config))
  const namespace = config.TEMPORAL_NAMESPACE
  try {
    await connection.workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
      .catch(unlessAlreadyExists)
    const wanted = Object.fromEntries(searchAttributes.map(({ name }) => [name, keyword]))
    await untilReady(async () => {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
      const missing = Object.entries(wanted).filter(([name]) => !customAttributes?.[name])
      if (missing.length === 0) return
      await connection.operatorService
        .addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) })
        .catch(unlessAlreadyExists)
      throw new Error('search attributes are on their way')
    })
    await untilReady(() => scheduleUpkeep(new Client({ connection, namespace })))
  } finally {
    await connection.close()
  }
}

/** Makes the schedule, or brings one from an earlier version up to date. A pause by an operator stays. */
async function scheduleUpkeep({ schedule }: Client): Promise<void> {
  const wanted: Pick<ScheduleOptions<ScheduleOptionsStartWorkflowAction<Workflow>>, 'spec' | 'policies' | 'action'> = {
    spec: { intervals: [{ every: `${upkeepEverySeconds} seconds` }] },
    policies: { overlap: 'SKIP', catchupWindow: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: 'upkeep',
      taskQueue: workflowTaskQueue,
      args: [],
      workflowExecutionTimeout: '5 minutes',
    },
  }
  try {
    await schedule.create({ scheduleId: upkeepScheduleId, ...wanted })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    await schedule.getHandle(upkeepScheduleId).update(({ state }) => ({ ...wanted, state }))
  }
}

/** The server's caches learn of a new namespace after a moment. */
async function untilReady(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + readyWithinMilliseconds
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await delay(100)
    }
  }
}

function unlessAlreadyExists(error: unknown): void {
  if (!isGrpcServiceError(error) || Number(error.code) !== alreadyExists) throw error
}
