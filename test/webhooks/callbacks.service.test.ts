import { execFileSync } from 'node:child_process'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { callbackSecretOf } from '../../src/webhooks/callbacks.ts'
import { startService } from '../e2e/service.ts'
import { speech } from '../fixtures/make.ts'
import { untilFound } from '../until-found.ts'
import { startReceiver } from './receiver.ts'
import { isSignedWith } from './verify.ts'

const receiver = await startReceiver()
const service = await startService({ WEBHOOK_ALLOW_HOSTS: receiver.host }, { upkeepEverySeconds: 1 })
const { client, db, token } = service
afterAll(async () => {
  await service.stop()
  receiver.stop()
})

const media_url = await client.upload(speech)
const secret = callbackSecretOf(token)
const silence = (more: object) => ({ endpoint: 'audio/detect-silence', media_url, ...more })
const created = z.object({ job: z.object({ id: z.string() }) })
const started = z.object({ run: z.object({ id: z.string() }) })
const calls = (path: string) => receiver.received.filter((each) => each.path === path)
const pending = () => db.webhookEndpoint.count({ where: { accountId: service.accountId } })

it('calls back once, signed with the secret of the key, although its request was sent twice', async () => {
  const callback_url = receiver.url.replace('/hook', '/once')
  const send = async () => {
    const { body } = await client.send('POST', '/v1/jobs', silence({ callback_url }), { 'idempotency-key': 'once' })
    return created.parse(body).job.id
  }
  const id = await send()
  expect(await send()).toBe(id)
  const call = await untilFound(() => calls('/once')[0])
  await untilFound(async () => (await pending()) === 0)
  expect(calls('/once')).toHaveLength(1)
  expect(JSON.parse(call.body)).toMatchObject({ type: 'job.completed', data: { id, status: 'completed' } })
  expect([secret, callbackSecretOf(`${token}x`)].map((each) => isSignedWith(each, call))).toEqual([true, false])
  const shell = 'echo "whsec_$(printf callbacks | openssl dgst -sha256 -hmac "$API_KEY" -binary | base64)"'
  expect(
    execFileSync('sh', ['-c', shell], { env: { ...process.env, API_KEY: token } })
      .toString()
      .trim(),
  ).toBe(secret)
  expect((await client.send('POST', `/v1/events/${call.headers['webhook-id']}/replay`, {})).body).toMatchObject({
    webhook_endpoint_ids: [],
  })
})

it('calls back for a run alone, and not for its steps; with queue_first, for the first job', async () => {
  const body = { media_url, callback_url: receiver.url.replace('/hook', '/run') }
  const runs = (mode: string, more = {}) =>
    client.send('POST', '/v1/workflows/remove-dead-space/runs', { ...body, ...more, mode })
  const { run } = started.parse((await runs('run_all')).body)
  const first = { callback_url: receiver.url.replace('/hook', '/first') }
  const { job } = created.parse((await runs('queue_first', first)).body)
  await untilFound(async () => (await pending()) === 0)
  const told = ['/run', '/first'].map((path) => calls(path).map((each) => z.json().parse(JSON.parse(each.body))))
  expect(told).toMatchObject([
    [{ type: 'workflow_run.completed', data: { id: run.id } }],
    [{ type: 'job.completed', data: { id: job.id } }],
  ])
})

it('tries a failing receiver again, and gives up one that answers 410', async () => {
  receiver.answerWith((response, { path }) => {
    const failing = calls('/failing').length > 1 ? 204 : 500
    response.statusCode = path === '/gone' ? 410 : failing
    response.end()
  })
  for (const path of ['/failing', '/gone'])
    await client.send('POST', '/v1/jobs', silence({ callback_url: receiver.url.replace('/hook', path) }))
  await untilFound(async () => (await pending()) === 0)
  expect([calls('/failing').length, calls('/gone').length]).toEqual([2, 1])
  const [first, second] = calls('/failing')
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
})
