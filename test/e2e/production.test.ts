import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'

let service: Service

beforeAll(async () => {
  const built = spawnSync(process.execPath, ['scripts/run.mjs', 'build'], { encoding: 'utf8' })
  expect(built).toMatchObject({ status: 0 })
  const production = { NODE_ENV: 'production', SIGNING_SECRET: 'a secret of the test, and long enough' }
  service = await startService(production, { compiled: true })
}, 180_000)

afterAll(() => service.stop())

describe('the compiled service', () => {
  it('runs a job with the workflows that were bundled ahead', async () => {
    const media_url = await service.client.upload(path.resolve('test/fixtures/film.mp4'))
    const { id } = await service.client.create({ endpoint: 'video/clip-window', media_url, end: 1 })
    expect(await service.client.ended(id)).toMatchObject({ status: 'completed' })
  })

  it.each(['api/server.js', 'activities/worker.js'])('%s does not start on the development secret', (script) => {
    const env = { ...process.env, ...service.environment, SIGNING_SECRET: '' }
    const run = spawnSync(process.execPath, [path.join('dist', script)], { env, encoding: 'utf8' })
    expect(run).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^SIGNING_SECRET: .*\n$/) })
  })

  it('its worker does not start without the tools that every job needs', () => {
    const env = { ...process.env, ...service.environment, FFPROBE_PATH: 'no-such-ffprobe' }
    const run = spawnSync(process.execPath, ['dist/activities/worker.js'], { env, encoding: 'utf8' })
    expect(run).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^FFPROBE_PATH: .*\n$/) })
  })
})
