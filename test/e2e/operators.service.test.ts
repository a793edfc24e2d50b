import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Client, Connection, WorkflowFailedError } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { newId } from '../../src/core/ids.ts'
import { accountIdAttribute, endpointAttribute, workflowTaskQueue } from '../../src/temporal/names.ts'
import { fixture } from '../fixtures/make.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { untilFound } from '../until-found.ts'
import { startUpkeepPass } from '../upkeep-pass.ts'
import { leftFiles, type Service, startService } from './service.ts'

// These calls do what an operator does in the Web UI.

let service: Service
let temporal: Client
let film: string

beforeAll(async () => {
  service = await startService()
  temporal = new Client({
    connection: await Connection.connect({ address: temporalAddress }),
    namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '',
  })
  film = await service.client.upload(await fixture('noise.mp4'))
})

afterAll(async () => {
  await temporal.connection.close()
  await service.stop()
})

/** Without an end it renders the whole film, which is still running when its cancellation arrives. */
async function startRender(
  window: { readonly start: number } | { readonly end: number } = { end: 2 },
): Promise<string> {
  const { id } = await service.client.create({ endpoint: 'video/clip-window', media_url: film, ...window })
  await untilFound(async () => (await service.client.job(id)).progress > 0)
  return id
}

const makeUpkeepPass = async () => (await startUpkeepPass(temporal)).result()

async function objectsOf(jobId: string): Promise<string[]> {
  const folder = path.join(service.dataDir, 'objects', 'outputs', jobId)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function expectNothingLeft(jobId: string): Promise<void> {
  await untilFound(async () => (await leftFiles(service)).length === 0)
  expect(await objectsOf(jobId)).toEqual([])
  expect(await service.db.stagedFolder.count({ where: { jobId } })).toBe(0)
  expect(await checkLedger(service.db)).toEqual([])
}

/** Resets the workflow to its start. */
async function reset(jobId: string): Promise<void> {
  const handle = temporal.workflow.getHandle(jobId)
  const { events } = await handle.fetchHistory()
  const event = events?.find(({ workflowTaskCompletedEventAttributes: completed }) => completed)
  const { runId } = await handle.describe()
  await temporal.workflowService.resetWorkflowExecution({
    namespace: temporal.options.namespace,
    workflowExecution: { workflowId: jobId, runId },
    workflowTaskFinishEventId: event?.eventId ?? null,
    requestId: `reset ${jobId}`,
  })
}

it('a workflow whose job the database does not have ends failed, and does not retry for ever', async () => {
  const workflowId = newId('job')
  const handle = await temporal.workflow.start('mediaJob', {
    taskQueue: workflowTaskQueue,
    workflowId,
    args: [{ jobId: workflowId }],
  })
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError)
})

describe('an operator in the Web UI', () => {
  it('can read the state of a running job', async () => {
    const id = await startRender()
    const handle = temporal.workflow.getHandle(id)
    const { raw, typedSearchAttributes } = await handle.describe()
    const summary = Buffer.from(raw.executionConfig?.userMetadata?.summary?.data ?? []).toString()
    expect(summary).toBe(`"video/clip-window · ${film.split('/').at(-1)}"`)
    expect(typedSearchAttributes.get(accountIdAttribute)).toBe(service.accountId)
    expect(typedSearchAttributes.get(endpointAttribute)).toBe('video/clip-window')
    // The second, if the render takes longer than a short one.
    const states = /^(Reading the media, and working on it if that takes seconds|Working on \d+\.\d s of media)$/
    expect(await handle.query('__temporal_workflow_metadata')).toMatchObject({
      currentDetails: expect.stringMatching(states),
    })
    expect(await service.client.ended(id)).toMatchObject({ status: 'completed' })
  })

  it('terminates a job: failed, released, nothing left over', async () => {
    const id = await startRender({ start: 0 })
    await temporal.workflow.getHandle(id).terminate()
    await service.db.job.update({ where: { id }, data: { dispatchedAt: new Date(Date.now() - 60_000) } })
    await makeUpkeepPass()
    expect(await service.client.ended(id)).toMatchObject({
      status: 'failed',
      error: { code: 'server_error' },
      final_price_usd: 0,
    })
    await expectNothingLeft(id)
  })

  it('cancels a job: failed with canceled, released, nothing left over', async () => {
    const id = await startRender({ start: 0 })
    await temporal.workflow.getHandle(id).cancel()
    expect(await service.client.ended(id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
    await untilFound(async () => (await temporal.workflow.getHandle(id).describe()).status.name === 'CANCELLED')
    await service.db.job.update({ where: { id }, data: { endedAt: new Date(Date.now() - 60_000) } })
    await makeUpkeepPass()
    await expectNothingLeft(id)
  })

  it('resets a running job: it starts over and completes, with one output and one capture', async () => {
    const id = await startRender()
    await reset(id)
    expect(await service.client.ended(id)).toMatchObject({ status: 'completed' })
    const { outputs } = await service.db.job.findUniqueOrThrow({ where: { id }, include: { outputs: true } })
    expect(outputs.filter(({ role }) => role === 'media')).toHaveLength(1)
    expect(await checkLedger(service.db)).toEqual([])
    // An object is two files.
    await untilFound(async () => (await objectsOf(id)).length === 2 * outputs.length)
    await untilFound(async () => (await leftFiles(service)).length === 0)
  })

  it('resets an ended job: it does not change', async () => {
    const id = await startRender()
    const before = await service.client.ended(id)
    await untilFound(async () => (await temporal.workflow.getHandle(id).describe()).status.name === 'COMPLETED')
    await reset(id)
    await temporal.workflow.getHandle(id).result()
    const after = await service.client.job(id)
    expect({ ...after, result: null }).toEqual({ ...before, result: null })
    expect(await service.db.output.count({ where: { jobId: id, role: 'media' } })).toBe(1)
    expect(await checkLedger(service.db)).toEqual([])
  })
})
