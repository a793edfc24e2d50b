import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, startApi, useApi } from '../api.ts'

let hasRoom = true
const plain = await startApi()
const storage = { ...plain.storage, hasRoom: async () => hasRoom }
await plain.close()
const api = await useApi({}, { storage })
const account = await api.newAccount()

const look = () => api.call({ url: '/health' })

describe('while the storage has no room', () => {
  beforeAll(() => {
    hasRoom = false
  })
  afterAll(() => {
    hasRoom = true
  })

  it('503 with Retry-After for new uploads', async () => {
    const answer = await account.post('/v1/uploads/presign', { filename: 'a.mp4', bytes: 10 })
    expect([answer.status, codeOf(answer)]).toEqual([503, 'service_unavailable'])
    expect(answer.headers['retry-after']).toBe('10')
  })

  it('jobs are accepted and read as before, and /health names the disk', async () => {
    const id = await account.create()
    expect((await account.get(`/v1/jobs/${id}`)).status).toBe(200)
    await expect.poll(look).toMatchObject({ body: { ok: false, new_work: { ok: false, process: true, disk: false } } })
  })
})
