import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createAccount } from '../../src/accounts/own-account.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { markRunning } from '../../src/jobs/job-changes.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { openJobsReader, workerEndsReader } from '../../src/telemetry/metrics-server.ts'
import { acceptClip } from '../billing/jobs.ts'
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

async function readOnce(from: Database) {
  const metrics = createMetrics()
  await openJobsReader(from, metrics)()
  return metrics
}

it('counts queued and running jobs with the age of the oldest, and ended ones not', async () => {
  const accountId = await createAccount(db, 'open')
  const [old, running, ended] = await Promise.all([1, 2, 3, 4].map(() => acceptClip(db, accountId, { seconds: 1 })))
  await db.job.update({ where: { id: old?.job.id ?? '' }, data: { admittedAt: new Date(Date.now() - 90_000) } })
  await markRunning(db, running?.job.id ?? '')
  await settleJob(db, ended?.job.id ?? '', { code: 'canceled', message: 'canceled' })

  const { openJobs, oldestOpenJobSeconds } = await readOnce(db)
  const counted = (await openJobs.get()).values.map(({ labels, value }) => `${labels.status} ${value}`)
  expect(counted.toSorted()).toEqual(['queued 2', 'running 1'])
  const ages = (await oldestOpenJobSeconds.get()).values
  expect(ages.find(({ labels }) => labels.status === 'queued')?.value).toBeGreaterThan(89)
  expect(ages.find(({ labels }) => labels.status === 'running')?.value).toBeLessThan(60)
})

it('a job that waits for a slot of its account counts, and has no age', async () => {
  const own = await createTestDatabase()
  const ownDb = openDatabase(own.url)
  onTestFinished(async () => {
    await ownDb.$disconnect()
    await own.drop()
  })
  const { job } = await acceptClip(ownDb, await createAccount(ownDb, 'waiting'), { seconds: 1, slots: 0 })
  await ownDb.job.update({ where: { id: job.id }, data: { createdAt: new Date(Date.now() - 600_000) } })

  const { openJobs, oldestOpenJobSeconds } = await readOnce(ownDb)
  expect((await openJobs.get()).values).toMatchObject([{ value: 1, labels: { status: 'queued' } }])
  expect((await oldestOpenJobSeconds.get()).values).toMatchObject([{ value: 0, labels: { status: 'queued' } }])
})

it('simultaneous scrapes, and those of the next seconds, cause one query', async () => {
  const metrics = createMetrics()
  let queries = 0
  const counting: Database = Object.create(db, {
    $queryRaw: {
      value: (...query: Parameters<Database['$queryRaw']>) => {
        queries += 1
        return db.$queryRaw(...query)
      },
    },
  })
  const read = openJobsReader(counting, metrics)
  await Promise.all([read(), read(), read()])
  await read()
  expect(queries).toBe(1)
})

it('of workers that ended leaves the count out when the database does not answer', async () => {
  const metrics = createMetrics()
  await workerEndsReader(db, metrics)()
  expect((await metrics.workerEnds.get()).values).toMatchObject([{ value: 0 }])
  const refusing: Database = Object.create(db, { $queryRaw: { value: async () => Promise.reject(new Error('down')) } })
  await workerEndsReader(refusing, metrics)()
  expect((await metrics.workerEnds.get()).values).toEqual([])
})

it('waits about a second for a database that accepts connections and does not answer', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const silent = openDatabase(`postgresql://nobody@127.0.0.1:${port}/none`)
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await silent.$disconnect()
  })
  const start = performance.now()
  const { openJobs } = await readOnce(silent)
  expect(performance.now() - start).toBeLessThan(3_000)
  expect((await openJobs.get()).values).toEqual([])
})
