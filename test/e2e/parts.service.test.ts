import { Connection, Client as TemporalClient, WorkflowNotFoundError } from '@temporalio/client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { holdGates, installGates } from '../faults/gates.ts'
import { fixture } from '../fixtures/make.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { untilFound } from '../until-found.ts'
import { type Service, startService } from './service.ts'

// Clips and sound that are long enough for parts, on workers with one slot for media each.

let service: Service
let film: string
let temporal: TemporalClient
/** 186 s in nine pieces of video, and the sound: two parts run simultaneously while one takes longer than a query. */
const ranges = Array.from({ length: 31 }, (_, index) => ({ start: index * 6.5, end: index * 6.5 + 6 }))
const partsOfJob = 10

beforeAll(async () => {
  // Upkeep would delete the pieces, and with them the counts of attempts, soon after a job's end.
  service = await startService({ MEDIA_SLOTS: '1' }, { worker: false, upkeepEverySeconds: 3_600 })
  await activateBilling(service.db, service.accountId)
  const connection = await Connection.connect({ address: temporalAddress })
  temporal = new TemporalClient({ connection, namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '' })
  film = await service.client.upload(await fixture('three-minutes.mp4'))
})

afterEach(() => service.stopWorkers())

afterAll(async () => {
  await temporal.connection.close()
  await service.stop()
})

const longClip = () => ({ endpoint: 'video/clip-window', media_url: film, settings: { ranges, quality: 'fast' } })

async function attemptsOf(jobId: string) {
  const parts = await service.db.jobPart.findMany({ where: { staged: { jobId } }, orderBy: { part: 'asc' } })
  return {
    begun: parts.reduce((sum, { attempts }) => sum + attempts, 0),
    running: parts.reduce((sum, { openAttempts }) => sum + openAttempts, 0),
    finished: parts.filter(({ progress }) => progress === 1).length,
    parts: parts.length,
  }
}

/** Whether the job's parts are in Temporal's queue, or were. */
async function waitsForSlot(jobId: string): Promise<boolean> {
  const described = await temporal.workflow.getHandle(jobId).describe().catch(ignoreNotStarted)
  if (!described) return false
  const { raw } = described
  const isOver = raw.workflowExecutionInfo?.closeTime !== null && raw.workflowExecutionInfo?.closeTime !== undefined
  return isOver || (raw.pendingActivities ?? []).some(({ activityType }) => activityType?.name === 'runPart')
}

function ignoreNotStarted(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error
}

describe.skipIf(process.platform !== 'linux')('parts of a long job', () => {
  it('run on every worker; when one is killed its part alone is repeated, with one output and one capture', async () => {
    const [doomed] = await Promise.all([service.startWorker(), service.startWorker()])
    const { id } = await service.client.create(longClip())
    // Frozen in the middle of a part, which it cannot end: two parts run, one on each worker.
    await untilFound(async () => {
      doomed.child.kill('SIGSTOP')
      if ((await attemptsOf(id)).running === 2) return true
      doomed.child.kill('SIGCONT')
    })
    doomed.child.kill('SIGKILL')
    const job = await service.client.ended(id, 240)
    expect(job).toMatchObject({ status: 'completed', progress: 1 })
    const { parts, begun, finished } = await attemptsOf(id)
    expect({ parts, finished, begun }).toEqual({ parts: partsOfJob, finished: partsOfJob, begun: partsOfJob + 1 })
    expect(await service.db.output.count({ where: { jobId: id, role: 'media' } })).toBe(1)
    expect(await service.db.ledgerEntry.count({ where: { jobId: id, kind: 'capture' } })).toBe(1)
    const { receipt } = z
      .object({ receipt: z.object({ frames_encoded: z.int(), drift_ms: z.number() }) })
      .parse(job.result)
    expect(Math.abs(receipt.frames_encoded - 186 * 25)).toBeLessThanOrEqual(2)
    expect(Math.abs(receipt.drift_ms)).toBeLessThanOrEqual(40)
  }, 300_000)

  it('of half an hour of sound: when a worker is killed in one, another repeats that one and makes the others', async () => {
    const media_url = await service.client.upload(await fixture('half-hour.m4a'))
    const databaseUrl = service.environment['DATABASE_URL'] ?? ''
    await installGates(databaseUrl)
    const gates = await holdGates(databaseUrl, [{ accountId: service.accountId, step: 'part' }])
    const doomed = await service.startWorker()
    const { id } = await service.client.create({ endpoint: 'audio/detect-silence', media_url })
    await vi.waitUntil(gates.areReached, { timeout: 240_000, interval: 50 })
    doomed.child.kill('SIGKILL')
    await gates.abort(() => true)
    await gates.release()
    await service.startWorker()
    const job = await service.client.ended(id, 240)
    expect(job).toMatchObject({ status: 'completed', progress: 1, result: { analysis: 'computed' } })
    expect(await attemptsOf(id)).toMatchObject({ parts: 4, finished: 4, begun: 5 })
    expect(await service.db.ledgerEntry.count({ where: { jobId: id, kind: 'capture' } })).toBe(1)
  }, 300_000)

  it('stop when the job is canceled, which costs nothing', async () => {
    const worker = await service.startWorker()
    const { id } = await service.client.create(longClip())
    await untilFound(async () => (await attemptsOf(id)).running > 0)
    await service.client.send('POST', `/v1/jobs/${id}/cancel`)
    const job = await service.client.ended(id)
    expect(job).toMatchObject({ status: 'failed', error: { code: 'canceled' }, final_price_usd: 0 })
    expect(await attemptsOf(id)).toMatchObject({ running: 0 })
    await worker.stop()
  })

  it('of thirty long jobs delay the long job of another account by one part, not by those of every job', async () => {
    const other = await service.newAccount()
    const theirs = await other.client.upload(await fixture('three-minutes.mp4'))
    const jobs = await Promise.all(Array.from({ length: 30 }, () => service.client.create(longClip())))
    const begun = async () => {
      const where = { staged: { jobId: { in: jobs.map(({ id }) => id) } } }
      return (await service.db.jobPart.aggregate({ where, _sum: { attempts: true } }))._sum.attempts ?? 0
    }
    const worker = await service.startWorker()
    await vi.waitUntil(async () => (await begun()) > 1, { timeout: 240_000, interval: 50 })
    const { id } = await other.client.create({ ...longClip(), media_url: theirs })
    await vi.waitUntil(() => waitsForSlot(id), { timeout: 240_000, interval: 50 })
    const before = await begun()
    await vi.waitUntil(async () => (await attemptsOf(id)).begun > 0, { timeout: 240_000, interval: 50 })
    // The part that has the slot ends, and one more may be on its way to the worker.
    expect((await begun()) - before).toBeLessThanOrEqual(2)
    await worker.stop()
  }, 600_000)
})
