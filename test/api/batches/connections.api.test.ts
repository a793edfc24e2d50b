import { expect, it, vi } from 'vitest'
import { lockAccount, type Transaction } from '../../../src/db/database.ts'
import { useApi } from '../api.ts'

// One of the five connections holds the lock.
const api = await useApi({ DATABASE_POOL_SIZE: '5' })
const account = await api.newAccount()
const other = await api.newAccount()

const work = { endpoint: 'audio/detect-silence' }
const batch = { ...work, media_urls: ['https://media.example/1.mp4'], cap_usd: 1 }
const directive = { ...work, match: {}, max_price_usd: 1, monthly_cap_usd: 1 }

/** Connections that wait for a lock. */
async function waiting(tx: Transaction): Promise<number> {
  // Otherwise a transaction keeps what it saw first.
  await tx.$executeRaw`SELECT pg_stat_clear_snapshot()`
  const [row] = await tx.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return row.count
}

/** Sends requests that all need what `lock` takes, and returns how many connections wait for it, while another account reads. */
async function waitingFor(lock: (tx: Transaction) => Promise<unknown>, send: () => Promise<number>[], least = 1) {
  let sent: Promise<number[]> | undefined
  const most = await api.db.$transaction(
    async (tx) => {
      await lock(tx)
      sent = Promise.all(send())
      await vi.waitFor(async () => expect(await waiting(tx)).toBeGreaterThanOrEqual(least), 10_000)
      for (let reads = 0; reads < 5; reads += 1) expect((await other.get('/v1/jobs')).status).toBe(200)
      return waiting(tx)
    },
    { timeout: 60_000 },
  )
  return { waiting: most, statuses: [...new Set(await sent)] }
}

it('changes that an account requests in parallel wait for its row with one connection, and others are answered', async () => {
  const batchId = (await account.post('/v1/batches', batch)).body.batch.id
  const directiveId = (await account.post('/v1/directives', directive)).body.directive.id
  const brandId = (await account.post('/v1/brands', { name: 'Talks' })).body.brand.id
  const status = async (sent: ReturnType<typeof account.post>) => (await sent).status
  const changes = [
    () => account.post('/v1/batches', batch),
    () => account.post(`/v1/batches/${batchId}/retry`, {}),
    () => account.post(`/v1/batches/${batchId}/cancel`),
    () => account.post('/v1/directives', directive),
    () => account.patch(`/v1/directives/${directiveId}`, { enabled: false }),
    () => account.post('/v1/brands', { name: 'Shorts' }),
    () => account.patch(`/v1/brands/${brandId}`, { colour: '#ffffff' }),
  ]
  for (const change of changes) {
    const found = await waitingFor(
      (tx) => lockAccount(tx, account.accountId),
      () => Array.from({ length: 8 }, () => status(change())),
    )
    expect(found).toEqual({ waiting: 1, statuses: [expect.toSatisfy((code: number) => code >= 200 && code < 300)] })
  }
})

it('lists ask for the spending of all batches at once, two at a time of an account', async () => {
  const lister = await api.newAccount()
  for (let made = 0; made < 10; made += 1) {
    await lister.post('/v1/batches', batch)
    await lister.post('/v1/directives', directive)
  }
  const lists = ['/v1/batches?limit=100', '/v1/directives']
  const found = await waitingFor(
    (tx) => tx.$executeRaw`LOCK TABLE key_months`,
    () => lists.map(async (url) => (await lister.get(url)).status),
    2,
  )
  expect(found).toEqual({ waiting: 2, statuses: [200] })
  const third = await waitingFor(
    (tx) => tx.$executeRaw`LOCK TABLE batch_items`,
    () => [...lists, ...lists].map(async (url) => (await lister.get(url)).status),
    2,
  )
  expect(new Set(third.statuses)).toEqual(new Set([200, 429]))
  expect((await lister.get('/v1/batches')).body.batches).toHaveLength(10)
})
