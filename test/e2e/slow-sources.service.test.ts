import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../scripts/stack/ports.ts'
import { speech } from '../fixtures/make.ts'
import { untilFound } from '../until-found.ts'
import { type Service, startService } from './service.ts'

let service: Service
let server: Server
let url: string
/** Requests that the server holds open. */
let open = 0

beforeAll(async () => {
  const port = await freePort()
  // Promises a long file, and sends a byte now and then.
  server = createServer((_request, response) => {
    open += 1
    response.writeHead(206, { etag: '"1"', 'content-range': 'bytes 0-99999999/100000000' })
    const timer = setInterval(() => response.write('x'), 500)
    response.once('close', () => {
      clearInterval(timer)
      open -= 1
    })
  }).listen(port, '127.0.0.1')
  url = `http://127.0.0.1:${port}`
  service = await startService({ MEDIA_ALLOW_HOSTS: `127.0.0.1:${port}` })
})

afterAll(async () => {
  await service.stop()
  server.closeAllConnections()
  server.close()
})

it('two accounts with 20 slow sources each occupy a quarter of the slots, and uploads of others do not wait for them', async () => {
  const attackers = [service, await service.newAccount()]
  const other = await service.newAccount()
  for (const { client } of attackers) {
    for (let index = 0; index < 20; index++) {
      await client.create({ endpoint: 'audio/detect-silence', media_url: `${url}/${index}.mp4` })
    }
  }
  await untilFound(() => open === 8)
  const media = await other.client.upload(speech)
  const { id } = await other.client.create({ endpoint: 'audio/detect-silence', media_url: media })
  expect(await other.client.ended(id)).toMatchObject({ status: 'completed' })
  const { startedAt, createdAt } = await service.db.job.findUniqueOrThrow({ where: { id } })
  expect(Number(startedAt) - Number(createdAt)).toBeLessThan(5_000)
  // None of them has failed: they wait for a slot.
  expect(open).toBe(8)
  expect(await service.db.job.count({ where: { accountId: service.accountId, endedAt: null } })).toBe(20)
})
