import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../scripts/stack/ports.ts'
import { startPostgres } from '../../scripts/stack/postgres.ts'
import { createSupervisor, type Supervisor } from '../../scripts/stack/processes.ts'
import { type Database, isUnreachable, openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { untilFound } from '../until-found.ts'

let folder: string
let supervisor: Supervisor
let db: Database
let url: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'unreachable-'))
  supervisor = createSupervisor(path.join(folder, 'logs'))
  const options = { folder: path.join(folder, 'postgres'), port: await freePort(), throwAway: true }
  url = (await startPostgres(supervisor, options)).url
  await migrate(url)
  db = openDatabase(url)
}, 120_000)

afterAll(async () => {
  await db.$disconnect()
  await supervisor.stopAll()
  await rm(folder, { recursive: true, force: true })
})

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

const countActive = async (query: string) => {
  const [row] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int FROM pg_stat_activity WHERE state = 'active' AND query LIKE ${query} AND pid <> pg_backend_pid()`
  return row.count
}

it('ends a statement that takes longer than the limit, and counts it as unreachable', async () => {
  const limited = openDatabase(url, { statementSeconds: 0.2 })
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE accounts`
      const failures = {
        raw: failureOf(limited.$queryRaw`SELECT pg_sleep(120)::text`),
        query: failureOf(limited.account.count()),
        transaction: failureOf(limited.$transaction((other) => other.account.count())),
      }
      for (const [kind, failure] of Object.entries(failures)) {
        const error = await failure
        expect(isUnreachable(error), `${kind}: ${String(error)} ${JSON.stringify(error)}`).toBe(true)
      }
    },
    { timeout: 20_000 },
  )
  await limited.$disconnect()
})

it('a database that stopped is unreachable, for statements that ran and for later ones; a statement that fails is not', async () => {
  expect(isUnreachable(await failureOf(db.$queryRaw`SELECT 1 / 0`))).toBe(false)
  expect(isUnreachable(await failureOf(db.account.findUniqueOrThrow({ where: { id: 'acct_none' } })))).toBe(false)

  const running = {
    raw: failureOf(db.$queryRaw`SELECT pg_sleep(120)::text`),
    execute: failureOf(db.$executeRaw`SELECT pg_sleep(120)`),
    transaction: failureOf(
      db.$transaction(
        async (tx) => {
          await tx.$executeRaw`LOCK TABLE accounts`
          await tx.$queryRaw`SELECT pg_sleep(120)::text`
        },
        { timeout: 200_000 },
      ),
    ),
  }
  await untilFound(async () => (await countActive('SELECT pg_sleep%')) === 3)
  const waiting = failureOf(db.account.count())
  await untilFound(async () => (await countActive('%"accounts"%')) > 0)
  await supervisor.stopAll()
  const later = {
    raw: failureOf(db.$queryRaw`SELECT 1`),
    query: failureOf(db.account.count()),
    transaction: failureOf(db.$transaction((tx) => tx.$queryRaw`SELECT 1`)),
  }
  for (const [when, failures] of Object.entries({ running: { ...running, waiting }, later })) {
    for (const [kind, failure] of Object.entries(failures)) {
      const error = await failure
      expect(isUnreachable(error), `${when} ${kind}: ${String(error)} ${JSON.stringify(error)}`).toBe(true)
    }
  }
}, 60_000)

it.each([
  ['closes every connection', (socket: Socket) => socket.end()],
  ['accepts connections and never answers', () => {}],
])('a server that %s is unreachable', async (_what, accept) => {
  const server = createServer(accept).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const closed = openDatabase(`postgresql://nobody:none@127.0.0.1:${port}/none`)
  const failures = [
    closed.$queryRaw`SELECT 1`,
    closed.account.count(),
    closed.$transaction((tx) => tx.$queryRaw`SELECT 1`),
  ].map(failureOf)
  for (const failure of failures) {
    const error = await failure
    expect(isUnreachable(error), `${String(error)} ${JSON.stringify(error)}`).toBe(true)
  }
  await closed.$disconnect()
  server.close()
})
