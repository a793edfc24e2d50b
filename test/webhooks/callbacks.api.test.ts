import { expect, it } from 'vitest'
import { maxCallbacks } from '../../src/webhooks/callbacks.ts'
import { signedIn } from '../api/account/sign-in/sign-in.ts'
import { useApi } from '../api/api.ts'

const api = await useApi()
const owner = await api.newAccount()

const media_url = 'https://media.example/talk.mp4'
const silence = { endpoint: 'audio/detect-silence', media_url }
const callback_url = 'https://receiver.example/done'
const callbacks = (accountId: string) => api.db.webhookEndpoint.findMany({ where: { accountId } })

it('refuses what no webhook endpoint may be, a misspelt or misplaced field, and a session', async () => {
  const urls = [
    ...['http://receiver.example/', 'https://10.0.0.1/', 'https://[::ffff:127.0.0.1]/', 'https://0x7f000001/'],
    ...['https://user:secret@receiver.example/', 'https://receiver.example:8443/', 'file:///etc/passwd', 'here', ''],
    ...['https://169.254.169.254/latest/', 'https://[fd00::1]/', 'https://localhost/'],
  ]
  const bodies = [
    ...urls.map((url) => ({ ...silence, callback_url: url })),
    { ...silence, calback_url: callback_url },
    { ...silence, callback_url: null },
    { ...silence, settings: { callback_url } },
  ]
  const answers = await Promise.all(bodies.map((body) => owner.post('/v1/jobs', body)))
  const { endpoint: _, ...direct } = bodies[0] ?? silence
  answers.push(await owner.post('/v1/audio/detect-silence', direct))
  const page = await signedIn(api)
  answers.push(await page.post('/v1/jobs', { ...silence, callback_url }))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400))
  expect(answers.filter(({ body }) => !/call?back_url/.test(body.error.message))).toEqual([])
  expect(await api.db.job.count()).toBe(0)
  expect(await callbacks(owner.accountId)).toEqual([])
})

it('is no webhook endpoint of the account: no request lists, reads, changes or counts it', async () => {
  const account = await api.newAccount()
  const { body } = await account.post('/v1/jobs', { ...silence, callback_url })
  const [callback] = await callbacks(account.accountId)
  expect(callback).toMatchObject({ subjectId: body.job.id, keyId: expect.stringMatching(/^key_/), url: callback_url })
  expect(callback?.secret).not.toContain('whsec_')
  const path = `/v1/webhook-endpoints/${callback?.id}`
  const answers = await Promise.all([
    ...[account.get(path), account.get(`${path}/deliveries`), account.patch(path, { url: 'https://other.example/' })],
    ...['rotate-secret', 'test', 'replay'].map((what) => account.post(`${path}/${what}`, {})),
    api.call({ method: 'DELETE', url: path }, account.token),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect((await account.get('/v1/webhook-endpoints')).body.webhook_endpoints).toEqual([])
  expect(await callbacks(account.accountId)).toEqual([callback])
})

it('ends with its job and with its key, whose scope may be the least', async () => {
  const account = await api.newAccount()
  const made = await account.post('/v1/keys', { name: 'least', scope: 'audio/*' })
  const least = (body: object) => api.call({ method: 'POST', url: '/v1/jobs', payload: body }, made.body.secret)
  const { body: first } = await account.post('/v1/jobs', { ...silence, callback_url })
  const { body: second } = await least({ ...silence, callback_url })
  expect([made.status, second.error]).toEqual([201, undefined])
  const subjects = (await callbacks(account.accountId)).map(({ subjectId }) => subjectId)
  expect(new Set(subjects)).toEqual(new Set([first.job.id, second.job.id]))
  await api.call({ method: 'DELETE', url: `/v1/jobs/${first.job.id}` }, account.token)
  expect((await callbacks(account.accountId)).map(({ subjectId }) => subjectId)).toEqual([second.job.id])
  await account.post(`/v1/keys/${made.body.key.id}/revoke`, {})
  expect(await callbacks(account.accountId)).toEqual([])
})

it('is refused above the maximum of an account, raced as well, and then creates no job', async () => {
  const account = await api.newAccount()
  const filler = { accountId: account.accountId, url: callback_url, secret: '', eventTypes: [] }
  await api.db.webhookEndpoint.createMany({
    data: Array.from({ length: maxCallbacks - 1 }, (_, index) => ({
      ...filler,
      id: `whe_filler${index}`,
      subjectId: `job_filler${index}`,
    })),
  })
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, start) => account.post('/v1/jobs', { ...silence, start, callback_url })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 429, 429, 429])
  expect(await api.db.job.count({ where: { accountId: account.accountId } })).toBe(1)
  expect(await callbacks(account.accountId)).toHaveLength(maxCallbacks)
})
