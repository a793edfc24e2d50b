import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client, Connection, WorkflowFailedError } from '@temporalio/client'
import { ActivityFailure, ApplicationFailure } from '@temporalio/common'
import { NativeConnection, Worker } from '@temporalio/worker'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { whileBeating, withErrorTable, withinTime } from '../../../activities/worker/run-activity.ts'
import { randomText } from '../../../src/core/ids.ts'
import { temporalAddress } from '../../setup/temporal.ts'
import { quietTemporalRuntime } from '../../setup/temporal-runtime.ts'
import type { callLateWork } from './late-workflow.ts'

it('work that never ends is given up after its second attempt', async () => {
  quietTemporalRuntime()
  let attempts = 0
  const test = new AbortController()
  const work = () =>
    withinTime(() => {
      attempts += 1
      return whileBeating(() => once(test.signal, 'abort'))
    }, 1_500)
  const taskQueue = `late-${randomText(8)}`
  const worker = await Worker.create({
    ...{ connection: await NativeConnection.connect({ address: temporalAddress }), taskQueue },
    workflowsPath: fileURLToPath(new URL('late-workflow.ts', import.meta.url)),
    activities: { work },
    interceptors: {
      activity: [(context) => ({ inbound: withErrorTable(context, pino({ level: 'silent' })) })],
    },
    maxHeartbeatThrottleInterval: 50,
  })
  const running = worker.run()
  const connection = await Connection.connect({ address: temporalAddress })
  onTestFinished(async () => {
    test.abort()
    worker.shutdown()
    await running
    await connection.close()
  })
  const failed = await new Client({ connection }).workflow
    .execute<typeof callLateWork>('callLateWork', { taskQueue, workflowId: taskQueue })
    .catch((error: unknown) => error)
  if (!(failed instanceof WorkflowFailedError && failed.cause instanceof ActivityFailure)) throw failed
  const { cause } = failed.cause
  expect(cause instanceof ApplicationFailure && cause.type).toBe('timed_out')
  expect(attempts).toBe(2)
})
