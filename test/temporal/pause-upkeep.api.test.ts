import { Client, Connection } from '@temporalio/client'
import { afterAll, expect, it } from 'vitest'
import { randomText } from '../../src/core/ids.ts'
import { pauseUpkeep, resumeUpkeep, setupTemporal, upkeepScheduleId } from '../../src/temporal/setup-temporal.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { untilFound } from '../until-found.ts'

const namespace = `upkeep-${randomText(8).toLowerCase()}`
const connection = await Connection.connect({ address: temporalAddress })
const client = new Client({ connection, namespace })
const upkeep = client.schedule.getHandle(upkeepScheduleId)
afterAll(() => connection.close())

const countRunning = async () =>
  (await client.workflow.count('WorkflowType = "upkeep" AND ExecutionStatus = "Running"')).count
const skipped = async () => (await upkeep.describe()).info.numActionsSkippedOverlap

it('resuming starts no run beside one that has not ended', async () => {
  await setupTemporal({ TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace, TEMPORAL_TLS: false }, 1)
  await untilFound(async () => (await countRunning()) === 1)
  // Without a worker, the canceled run stays open.
  await pauseUpkeep(client, 'a test')
  const before = await skipped()
  await resumeUpkeep(client)
  expect((await upkeep.describe()).state.paused).toBe(false)
  await untilFound(async () => (await skipped()) > before + 1)
  expect(await countRunning()).toBe(1)
})
