import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { type JobEnds, listenForJobEnds, notifyJobEnded } from '../../src/store/job-ends.ts'
import { openLink } from '../faults/link.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { untilFound } from '../until-found.ts'

const longMilliseconds = 20_000
let database: TestDatabase
let db: Database
let ends: JobEnds

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url)
  ends = listenForJobEnds(database.url, () => {})
  await untilListening()
})

afterAll(async () => {
  await ends.close()
  await db.$disconnect()
  await database.drop()
})

const announce = (jobId: string) => db.$transaction((tx) => notifyJobEnded(tx, jobId))
const listeners = () =>
  db.$queryRaw<
    unknown[]
  >`SELECT pid FROM pg_stat_activity WHERE (query LIKE 'LISTEN%' OR query LIKE 'SELECT pg_notify($1, $2)') AND datname = current_database()`
const untilListening = () => untilFound(async () => (await listeners()).length === 1)

/** The duration of the wait in milliseconds. */
async function waited(wait: Promise<void>): Promise<number> {
  const start = performance.now()
  await wait
  return performance.now() - start
}

describe('a wait for the end of a job', () => {
  it('is woken only by its own job, all waits of the job together', async () => {
    const other = ends.next('job_b', 300)
    const waits = [ends.next('job_a', longMilliseconds), ends.next('job_a', longMilliseconds)].map(waited)
    await announce('job_a')
    for (const milliseconds of await Promise.all(waits)) expect(milliseconds).toBeLessThan(2_000)
    expect(await waited(other)).toBeGreaterThan(0)
  })

  it('ends with its time, and with its signal', async () => {
    await ends.next('job_c', 10)
    await ends.next('job_c', longMilliseconds, AbortSignal.abort())
    const leaving = new AbortController()
    const wait = ends.next('job_c', longMilliseconds, leaving.signal)
    leaving.abort()
    await wait
  })

  it('is woken after its connection was lost, because an end may have been missed, and by later ends', async () => {
    const missed = ends.next('job_d', longMilliseconds)
    await db.$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`
    expect(await waited(missed)).toBeLessThan(10_000)
    await untilListening()
    const later = ends.next('job_e', longMilliseconds)
    await announce('job_e')
    expect(await waited(later)).toBeLessThan(2_000)
  })

  it('is woken if its connection is open and nothing arrives on it', async () => {
    const url = new URL(database.url)
    const link = await openLink(Number(url.port))
    url.port = String(link.port)
    const errors: unknown[] = []
    const behind = listenForJobEnds(url.href, (error) => errors.push(error), 500)
    await untilFound(async () => (await listeners()).length === 2)
    link.freeze()
    const missed = behind.next('job_f', longMilliseconds)
    await announce('job_f')
    expect(await waited(missed)).toBeLessThan(longMilliseconds / 2)
    expect(errors.length).toBeGreaterThan(0)
    const later = behind.next('job_g', longMilliseconds)
    await announce('job_g')
    await later
    await behind.close()
    await link.close()
  })
})
