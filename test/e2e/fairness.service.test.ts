import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { untilFound } from '../until-found.ts'
import { type Service, startService } from './service.ts'

let service: Service

beforeAll(async () => {
  service = await startService({}, { worker: false })
})

afterAll(() => service.stop())

it('one job of an account completes before 50 more of another’s three hundred, on one worker', async () => {
  const crowd = await service.client.upload(path.resolve('test/fixtures/speech.wav'))
  const other = await service.newAccount()
  const single = await other.client.upload(path.resolve('test/fixtures/speech.wav'))
  let left = 300
  const post = async () => {
    while (left-- > 0) {
      // A known length, so that the free credits cover all holds.
      await service.client.create({ endpoint: 'video/clip-window', media_url: crowd, end: 1 })
    }
  }
  await Promise.all(Array.from({ length: 8 }, post))
  const ended = () => service.db.job.count({ where: { accountId: service.accountId, endedAt: { not: null } } })
  await service.startWorker()
  await untilFound(async () => (await ended()) > 0)
  const before = await ended()
  const { id } = await other.client.create({ endpoint: 'audio/detect-silence', media_url: single })
  expect(await other.client.ended(id)).toMatchObject({ status: 'completed' })
  expect((await ended()) - before).toBeLessThan(50)
  expect(await service.db.job.count({ where: { accountId: service.accountId } })).toBe(300)
  expect(await service.db.job.count({ where: { accountId: service.accountId, endedAt: null } })).toBeGreaterThan(0)
})
