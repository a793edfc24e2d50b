import path from 'node:path'
import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { workflowTaskQueue } from '../../src/temporal/names.ts'
import { storedEvents } from '../replay/stored-history.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { billableActions } from './billable-actions.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

let service: SharedService
let connection: Connection
beforeAll(async () => {
  service = await useSharedService()
  connection = await Connection.connect({ address: temporalAddress })
})
afterAll(() => connection.close())

const client = () => new Client({ connection, namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '' })

async function actionsOfJob(body: { endpoint: string; [field: string]: unknown }): Promise<string[]> {
  const { id } = await service.client.create(body)
  expect(await service.client.ended(id)).toMatchObject({ status: 'completed' })
  return actionsOf(client().workflow.getHandle(id))
}

async function actionsOf(handle: WorkflowHandle): Promise<string[]> {
  await handle.result()
  const events = storedEvents(await handle.fetchHistory())
  // Each activity succeeded at its first attempt: a retry would be an action more.
  for (const event of events) expect(JSON.stringify(event)).not.toMatch(/"attempt":([2-9]|\d\d)/)
  return billableActions(events)
}

const [start, activity, markers, timer] = [
  'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED',
  'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED',
  'EVENT_TYPE_MARKER_RECORDED',
  'EVENT_TYPE_TIMER_STARTED',
]

it('a job costs few actions on Temporal Cloud', async () => {
  const media_url = await service.client.upload(path.resolve('test/fixtures/speech.wav'))
  const detect = { endpoint: 'audio/detect-silence', media_url }
  expect((await actionsOfJob(detect)).toSorted()).toEqual([activity, markers, start])
  const again = { ...detect, settings: { min_silence_seconds: 0.2 } }
  expect((await actionsOfJob(again)).toSorted()).toEqual([markers, start])
})

it('a pass of upkeep costs one action, and the pause before the next one another', async () => {
  const upkeep = await client().workflow.start('upkeep', {
    taskQueue: workflowTaskQueue,
    workflowId: 'upkeep-for-its-actions',
    args: [{ passes: 3, pauseSeconds: 1 }],
  })
  expect((await actionsOf(upkeep)).toSorted()).toEqual([activity, activity, activity, timer, timer, start])
})
