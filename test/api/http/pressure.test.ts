import fastify from 'fastify'
import { expect, it } from 'vitest'
import { watchPressure } from '../../../api/http/connection-limits.ts'
import { untilFound } from '../../until-found.ts'
import { noPressure } from './no-pressure.ts'

async function watched(more: Partial<typeof noPressure>) {
  const app = fastify()
  const storage = { hasRoom: async () => true }
  const pressure = await watchPressure(app, { storage, pressureLimits: { ...noPressure, ...more } })
  app.get('/read', async () => 'read')
  await app.ready()
  return { app, pressure }
}

it('refuses new work while memory is short, and answers reads', async () => {
  const { app, pressure } = await watched({ maxHeapBytes: 1 })
  await untilFound(async () => !(await pressure.check()).process)
  expect(() => pressure.assertAcceptsWork()).toThrow(
    expect.objectContaining({ code: 'service_unavailable', retryAfterSeconds: 10 }),
  )
  await expect(pressure.assertAcceptsBytes(1)).rejects.toMatchObject({ code: 'service_unavailable' })
  expect((await app.inject('/read')).statusCode).toBe(200)
  await app.close()
})

it('accepts new work within the limits', async () => {
  const { app, pressure } = await watched({})
  pressure.assertAcceptsWork()
  await pressure.assertAcceptsBytes(1)
  expect(await pressure.check()).toEqual({ process: true, disk: true })
  await app.close()
})
