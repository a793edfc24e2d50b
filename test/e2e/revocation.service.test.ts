import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from '../../src/accounts/keys.ts'
import { type Service, startService } from './service.ts'

let service: Service
let addresses: string[]
beforeAll(async () => {
  service = await startService({}, { worker: false })
  addresses = [service.baseUrl, await service.startApi()]
})
afterAll(() => service.stop())

const askers = 4

interface Asked {
  readonly startedAt: number
  readonly status: number
}

/** Sends requests one after the other, to all processes in parallel, until it is stopped. */
function keepAsking(token: string) {
  const asked: Asked[] = []
  let stopped = false
  const ask = async (address = '') => {
    while (!stopped) {
      const startedAt = performance.now()
      const answer = await fetch(`${address}/v1/jobs?limit=1`, { headers: { authorization: `Bearer ${token}` } })
      await answer.arrayBuffer()
      asked.push({ startedAt, status: answer.status })
    }
  }
  const asking = Array.from({ length: askers }, (_, asker) => ask(addresses[asker % addresses.length]))
  return {
    asked,
    stop: async () => {
      stopped = true
      await Promise.all(asking)
    },
  }
}

it.each([0, 1])('a key revoked by API process %i is refused by all of them', async (revoker) => {
  const { accountId, token: owner } = service
  const { keyId, token } = await createKey(service.db, { accountId, name: 'busy' })
  const { asked, stop } = keepAsking(token)
  await expect.poll(() => asked.length).toBeGreaterThan(150)
  const revoked = await fetch(`${addresses[revoker]}/v1/keys/${keyId}/revoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner}` },
  })
  const revokedAt = performance.now()
  expect(revoked.status).toBe(200)
  const after = () => asked.filter(({ startedAt }) => startedAt >= revokedAt)
  await expect.poll(() => after().length).toBeGreaterThan(150)
  await stop()
  expect(new Set(after().map(({ status }) => status))).toEqual(new Set([401]))
  const before = asked.filter(({ startedAt }) => startedAt < revokedAt)
  expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(100)
  expect(before.filter(({ status }) => status !== 200 && status !== 401)).toEqual([])
})
