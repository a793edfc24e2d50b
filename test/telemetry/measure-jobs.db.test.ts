import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { markRunning } from '../../src/jobs/job-changes.ts'
import { deliverCancellation, endJob } from '../../src/jobs/start-and-end.ts'
import { countingLedgerErrors, createMetrics, ledgerTransactions, measureStart } from '../../src/telemetry/metrics.ts'
import { acceptClip, sameSlots } from '../billing/jobs.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url)
})
afterAll(async () => {
  await db.$disconnect()
  await database.drop()
})

function newDependencies() {
  const nothing = async () => {}
  const jobs = {
    cancel: async () => false,
    start: nothing,
    startRun: nothing,
    startDeliveries: nothing,
    startItems: nothing,
  }
  return { db, jobs, metrics: createMetrics(), logger: pino({ level: 'silent' }), slotLimits: sameSlots(1) }
}

async function newJob(): Promise<string> {
  const { job } = await acceptClip(db, await createAccount(db, 'measured'), { seconds: 1 })
  return job.id
}

describe('jobs', () => {
  it('a repeated step measures neither start nor end twice', async () => {
    const deps = newDependencies()
    const jobId = await newJob()
    for (let attempt = 0; attempt < 2; attempt += 1) measureStart(deps.metrics, await markRunning(db, jobId))
    const failure = { code: 'no_audio_track', message: 'No audio.' } as const
    await Promise.all([endJob(deps, jobId, failure), endJob(deps, jobId, failure)])

    const { values: ends } = await deps.metrics.jobsEnded.get()
    expect(ends).toMatchObject([
      { value: 1, labels: { endpoint: 'video/clip-window', status: 'failed', code: 'no_audio_track' } },
    ])
    for (const histogram of [deps.metrics.jobQueueSeconds, deps.metrics.jobSeconds]) {
      const { values } = await histogram.get()
      expect(values.find(({ metricName }) => metricName?.endsWith('_count'))?.value).toBe(1)
    }
  })

  it('the wait for a slot of the account is not in the queue time', async () => {
    const metrics = createMetrics()
    const job = await markRunning(db, await newJob())
    const startedAt = job.startedAt ?? new Date()
    const earlier = (seconds: number) => new Date(startedAt.getTime() - seconds * 1000)
    measureStart(metrics, { ...job, createdAt: earlier(600), admittedAt: earlier(2) })
    const { values } = await metrics.jobQueueSeconds.get()
    expect(values.find(({ metricName }) => metricName?.endsWith('_sum'))?.value).toBe(2)
  })

  it('a job canceled before its start counts as ended, without a duration', async () => {
    const deps = newDependencies()
    await deliverCancellation(deps, await newJob())
    expect((await deps.metrics.jobsEnded.get()).values).toMatchObject([{ value: 1, labels: { code: 'canceled' } }])
    expect((await deps.metrics.jobSeconds.get()).values).toEqual([])
  })
})

describe('errors of the ledger', () => {
  it.each([
    [1, 'what breaks a transaction', new Error('connection lost')],
    [0, 'a refusal', new ServiceError('billing_required')],
  ])('counts %i for %s, and passes it on', async (count, _what, error) => {
    const metrics = createMetrics()
    await expect(countingLedgerErrors(metrics, 'settle', () => Promise.reject(error))).rejects.toBe(error)
    const { values } = await metrics.ledgerErrors.get()
    expect(values.find(({ labels }) => labels.transaction === 'settle')?.value).toBe(count)
  })

  it('counts a settlement of an unknown job', async () => {
    const deps = newDependencies()
    await expect(endJob(deps, await newJob())).rejects.toThrow('nothing to publish')
    const { values } = await deps.metrics.ledgerErrors.get()
    expect(values.map(({ labels, value }) => [labels.transaction, value])).toEqual(
      ledgerTransactions.map((each) => [each, each === 'settle' ? 1 : 0]),
    )
  })
})
