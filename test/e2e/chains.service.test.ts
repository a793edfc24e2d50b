import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { stepJobId } from '../../src/chains/step-request.ts'
import { fixture } from '../fixtures/make.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { untilFound } from '../until-found.ts'
import { startUpkeepPass } from '../upkeep-pass.ts'
import { leftFiles, type Service, startService } from './service.ts'

const job = z.object({
  status: z.string(),
  final_price_usd: z.number().optional(),
})
const answer = z.object({
  plan: z.object({ max_price_usd: z.number(), steps: z.array(z.object({ max_price_usd: z.number() })) }),
  run: z.object({ id: z.string() }),
})
const runBody = z.object({
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  price_usd: z.number(),
  error: z.object({ code: z.string() }).optional(),
  steps: z.array(z.object({ job_id: z.string().optional(), job: job.optional() })),
})

const speech = path.resolve('test/fixtures/speech.wav')
const url = '/v1/workflows/remove-dead-space/runs'
const settings = {
  'audio/detect-silence': { min_silence_seconds: 0.2 },
  'timeline/suggest-ranges': { padding_seconds: 0.05, min_cut_seconds: 0.1 },
  'video/clip-window': { quality: 'fast' },
}
let service: Service
let temporal: Client

beforeAll(async () => {
  service = await startService({}, { worker: false })
  temporal = new Client({
    connection: await Connection.connect({ address: temporalAddress }),
    namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '',
  })
})

afterAll(async () => {
  await temporal.connection.close()
  await service.stop()
})

async function startRun(body: object) {
  const response = await service.client.send('POST', url, { mode: 'run_all', settings, ...body })
  expect(response.status, JSON.stringify(response.body)).toBe(202)
  const { plan, run } = answer.parse(response.body)
  return { plan, runId: run.id }
}

const read = async (runId: string) =>
  z.object({ run: runBody }).parse((await service.client.send('GET', `/v1/workflow-runs/${runId}`)).body).run

async function endOf(runId: string) {
  await untilFound(async () => ['completed', 'failed'].includes((await read(runId)).status))
  return read(runId)
}

/** Waits until the last step is rendering. */
async function untilRendering(runId: string): Promise<string> {
  const id = stepJobId(runId, 2)
  await untilFound(async () => Number((await service.db.job.findUnique({ where: { id } }))?.progress) > 0)
  return id
}

async function expectClean(runId: string): Promise<void> {
  expect(await checkLedger(service.db)).toEqual([])
  // Other runs of the account end side by side with this one.
  const where = { id: service.accountId }
  await untilFound(async () => (await service.db.account.findUniqueOrThrow({ where })).heldMicroUsd === 0n)
  await untilFound(async () => (await leftFiles(service)).length === 0)
  const folder = path.join(service.dataDir, 'objects', 'outputs', stepJobId(runId, 2))
  const left = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const kept = await service.db.output.count({ where: { jobId: stepJobId(runId, 2) } })
  if (kept === 0) expect(left.filter((entry) => entry.isFile())).toEqual([])
}

let film: Promise<string> | undefined

/** A run on a film that takes seconds to render. */
async function startLongRun() {
  film ??= fixture('long-film.mp4').then(service.client.upload)
  return startRun({ media_url: await film, media_seconds: 70 })
}

describe('a run that no worker has begun', () => {
  const ways = ['cancel', 'terminate'] as const
  const runs = new Map<string, string>()

  beforeAll(async () => {
    const media_url = await service.client.upload(speech)
    for (const how of ways) {
      const { runId } = await startRun({ media_url, media_seconds: 73 })
      await untilFound(async () => (await service.db.job.findFirst({ where: { runId } }))?.dispatchedAt)
      await temporal.workflow.getHandle(runId)[how]()
      runs.set(how, runId)
    }
    await service.startWorker({ MEDIA_SLOTS: '4' })
  })

  it.each(ways)('ends by %s: nothing is charged', async (how) => {
    const runId = runs.get(how) ?? ''
    if (how === 'terminate') await endedByUpkeep(runId)
    expect(await endOf(runId)).toMatchObject({ status: 'failed', price_usd: 0 })
    await expectClean(runId)
  })
})

// On the worker of the runs above, which has a slot for each.
describe.concurrent('a run that renders', () => {
  it.each(['cancel', 'terminate', 'the API'] as const)(
    'ends by %s: the render costs nothing, what completed stays billed',
    async (how) => {
      const { runId } = await startLongRun()
      const rendering = await untilRendering(runId)
      const workflow = temporal.workflow.getHandle(runId)
      if (how === 'the API') await service.client.send('POST', `/v1/workflow-runs/${runId}/cancel`)
      else await workflow[how]()
      if (how === 'terminate') await endedByUpkeep(runId)
      const run = await endOf(runId)
      const shown = how === 'terminate' ? 'TERMINATED' : 'CANCELLED'
      await untilFound(async () => (await workflow.describe()).status.name === shown)
      await untilFound(
        async () => (await temporal.workflow.getHandle(rendering).describe()).status.name === 'CANCELLED',
      )
      expect(run).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
      expect(run.steps.map((step) => step.job?.status)).toEqual(['completed', 'completed', 'failed'])
      expect(run.price_usd).toBe(run.steps[0]?.job?.final_price_usd)
      expect(await service.client.job(rendering)).toMatchObject({ error: { code: 'canceled' }, final_price_usd: 0 })
      await expectClean(runId)
    },
  )
})

/** Upkeep skips new rows, and ends jobs before their runs. */
async function endedByUpkeep(runId: string): Promise<void> {
  const long = new Date(Date.now() - 60_000)
  await service.db.job.updateMany({ where: { runId }, data: { dispatchedAt: long } })
  await service.db.workflowRun.update({ where: { id: runId }, data: { createdAt: long } })
  await untilFound(async () => {
    await (await startUpkeepPass(temporal)).result()
    return (await read(runId)).status === 'failed'
  })
}
