import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { acceptJob } from '../../src/jobs/accept.ts'
import { referenceOf } from '../../src/jobs/job-rows.ts'
import { sameSlots } from '../billing/jobs.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { untilFound } from '../until-found.ts'
import { type Service, startService } from './service.ts'

let service: Service

beforeAll(async () => {
  service = await startService({}, { upkeepEverySeconds: 3 })
})

afterAll(() => service.stop())

/** A job as an outage of Temporal leaves it: accepted, but not dispatched. */
async function leaveWaiting(): Promise<string> {
  const mediaUrl = await service.client.upload(path.resolve('test/fixtures/film.mp4'))
  const upload = await service.db.upload.findUniqueOrThrow({ where: { id: mediaUrl.split('/').at(-1) ?? '' } })
  const { id: template } = await service.client.create({ endpoint: 'audio/detect-silence', media_url: mediaUrl })
  const earlier = await service.db.job.findUniqueOrThrow({ where: { id: template } })
  const { job } = await acceptJob(service.db, {
    jobId: newId('job'),
    accountId: upload.accountId,
    requestId: newId('req'),
    endpoint: 'audio/detect-silence',
    rateMicroUsdPerMinute: 2_000n,
    maxPriceMicroUsd: undefined,
    window: { startSeconds: null, endSeconds: null },
    settings: Object(earlier.settings),
    warnings: [],
    reference: referenceOf(earlier),
    slotLimits: sameSlots(10),
    maxWaitingJobs: 1000,
    apiKeyId: null,
  })
  await service.db.job.update({ where: { id: job.id }, data: { createdAt: new Date(Date.now() - 60_000) } })
  return job.id
}

it('upkeep starts jobs that never reached Temporal, and ends those that were canceled meanwhile', async () => {
  const [waiting, canceled] = [await leaveWaiting(), await leaveWaiting()]
  await service.db.job.update({ where: { id: canceled }, data: { cancelRequestedAt: new Date(Date.now() - 30_000) } })
  expect(await service.client.ended(waiting)).toMatchObject({ status: 'completed' })
  expect(await service.client.ended(canceled)).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
})

it('upkeep is one run, which the schedule restarts if an operator ends it', async () => {
  const connection = await Connection.connect({ address: temporalAddress })
  onTestFinished(() => connection.close())
  const { workflow } = new Client({ connection, namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '' })
  const running = async () => {
    const open = []
    for await (const run of workflow.list({ query: 'WorkflowType = "upkeep" AND ExecutionStatus = "Running"' }))
      open.push(run)
    return open
  }
  const untilPassed = async (known?: string) =>
    untilFound(async () => {
      const [run, ...others] = await running()
      expect(others).toEqual([])
      if (!run || run.runId === known) return undefined
      const { currentDetails } = await workflow
        .getHandle(run.workflowId)
        .query<{ currentDetails: string }>('__temporal_workflow_metadata')
      return /^Pass \d+ of 120, .*Z: /.test(currentDetails) && run
    })
  const first = await untilPassed()
  await workflow.getHandle(first.workflowId).terminate()
  const second = await untilPassed(first.runId)
  await workflow.getHandle(second.workflowId).cancel()
  await untilFound(
    async () => (await workflow.getHandle(second.workflowId, second.runId).describe()).status.name === 'CANCELLED',
  )
})
