import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Announcements, announce, listenForAnnouncements } from '../../src/db/announcements.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { openLink } from '../faults/link.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { untilFound } from '../until-found.ts'

const longMilliseconds = 20_000
let database: TestDatabase
let db: Database
let announcements: Announcements

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url)
  announcements = listenForAnnouncements(database.url, () => {})
  await untilListening()
})

afterAll(async () => {
  await announcements.close()
  await db.$disconnect()
  await database.drop()
})

const announceNow = (id: string) => db.$transaction((tx) => announce(tx, id))
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

describe('a wait for an announcement', () => {
  it('is woken only by its own id, all waits for the id together', async () => {
    const other = announcements.next('job_b', 300)
    const waits = [announcements.next('job_a', longMilliseconds), announcements.next('job_a', longMilliseconds)].map(
      waited,
    )
    await announceNow('job_a')
    for (const milliseconds of await Promise.all(waits)) expect(milliseconds).toBeLessThan(2_000)
    expect(await waited(other)).toBeGreaterThan(0)
  })

  it('ends with its time, and with its signal', async () => {
    await announcements.next('job_c', 10)
    await announcements.next('job_c', longMilliseconds, AbortSignal.abort())
    const leaving = new AbortController()
    const wait = announcements.next('job_c', longMilliseconds, leaving.signal)
    leaving.abort()
    await wait
  })

  it('is woken after its connection was lost, because an announcement may have been missed, and by later ones', async () => {
    const missed = announcements.next('job_d', longMilliseconds)
    await db.$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`
    expect(await waited(missed)).toBeLessThan(10_000)
    await untilListening()
    const later = announcements.next('job_e', longMilliseconds)
    await announceNow('job_e')
    expect(await waited(later)).toBeLessThan(2_000)
  })

  it('is woken if its connection is open and nothing arrives on it', async () => {
    const url = new URL(database.url)
    const link = await openLink(Number(url.port))
    url.port = String(link.port)
    const errors: unknown[] = []
    const behind = listenForAnnouncements(url.href, (error) => errors.push(error), 500)
    await untilFound(async () => (await listeners()).length === 2)
    link.freeze()
    const missed = behind.next('job_f', longMilliseconds)
    await announceNow('job_f')
    expect(await waited(missed)).toBeLessThan(longMilliseconds / 2)
    expect(errors.length).toBeGreaterThan(0)
    const later = behind.next('job_g', longMilliseconds)
    await announceNow('job_g')
    await later
    await behind.close()
    await link.close()
  })
})
