import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from '../../src/store/keys.ts'
import { type Service, startService } from './service.ts'

let service: Service
let addresses: string[]
beforeAll(async () => {
  service = await startService({}, { worker: false })
  addresses = [service.baseUrl, await service.startApi()]
}, 120_000)
afterAll(() => service.stop())

const everyMilliseconds = 10

interface Asked {
  readonly startedAt: number
  readonly status: number
}

/** Sends a request every ten milliseconds, to each process in turn, until it is stopped. */
function keepAsking(token: string) {
  const asked: Asked[] = []
  const open = new Set<Promise<void>>()
  let sent = 0
  const ask = async (startedAt: number) => {
    const url = `${addresses[sent++ % addresses.length]}/v1/jobs?limit=1`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    asked.push({ startedAt, status: answer.status })
  }
  const timer = setInterval(() => {
    const request = ask(performance.now()).finally(() => open.delete(request))
    open.add(request)
  }, everyMilliseconds)
  return {
    asked,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}

it.each([0, 1])(
  'a key that API process %i revokes opens nothing more on any of them',
  async (revoker) => {
    const { accountId, token: owner } = service
    const { keyId, token } = await createKey(service.db, { accountId, name: 'busy' })
    const { asked, stop } = keepAsking(token)
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBeGreaterThan(150)
    const revoked = await fetch(`${addresses[revoker]}/v1/keys/${keyId}/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner}` },
    })
    const revokedAt = performance.now()
    expect(revoked.status).toBe(200)
    const after = () => asked.filter(({ startedAt }) => startedAt >= revokedAt)
    await expect.poll(() => after().length, { timeout: 30_000 }).toBeGreaterThan(150)
    await stop()
    expect(new Set(after().map(({ status }) => status))).toEqual(new Set([401]))
    const before = asked.filter(({ startedAt }) => startedAt < revokedAt)
    expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(100)
    expect(before.filter(({ status }) => status !== 200 && status !== 401)).toEqual([])
  },
  90_000,
)
