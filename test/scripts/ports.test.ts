import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { choosePort, freePort } from '../../scripts/stack/ports.ts'

test('the default port is used if it is free', async () => {
  const preferred = await freePort()
  expect(await choosePort({ variable: 'PORT', preferred }, {})).toBe(preferred)
})

test('a taken default port moves to a free one', async () => {
  const preferred = await takenPort()
  const told: string[] = []
  const port = await choosePort({ variable: 'PORT', preferred }, {}, (message) => told.push(message))
  expect(port).not.toBe(preferred)
  expect(told).toEqual([`port ${preferred} is taken: using ${port}; set PORT to choose another`])
  expect(port).toBeGreaterThan(0)
})

test('a taken port of a variable is an error of one line', async () => {
  const taken = await takenPort()
  const choice = choosePort({ variable: 'PORT', preferred: 3000 }, { PORT: `${taken}` })
  await expect(choice).rejects.toThrow(new RegExp(`^PORT=${taken}: the port is taken; [^\n]+$`))
})

test.each(['x', '-1', '65536', '1.5'])('%s is not a port', async (value) => {
  const choice = choosePort({ variable: 'PG_PORT', preferred: 1 }, { PG_PORT: value })
  await expect(choice).rejects.toThrow(`PG_PORT=${value} is not a port`)
})

test('a free port is none that the system gives to outgoing connections', async () => {
  for (let chosen = 0; chosen < 50; chosen++) expect(await freePort()).toBeLessThan(32_768)
})

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
