import { expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../api/app.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { useApi } from '../api/api.ts'

const api = await useApi()
const maker = await api.newAccount()

const work = { endpoint: 'audio/detect-silence' }
const batch = { ...work, media_urls: ['https://media.example/1.mp4'], cap_usd: 1 }
const directive = { ...work, match: {}, max_price_usd: 1, monthly_cap_usd: 1 }

it('a key turns on directives and retries batches of its own, and others only if it may raise limits', async () => {
  const made = (await maker.post('/v1/directives', directive)).body.directive.id
  await maker.patch(`/v1/directives/${made}`, { enabled: false })
  const ended = (await maker.post('/v1/batches', batch)).body.batch.id
  const { secret } = (await maker.post('/v1/keys', { name: 'capped', monthly_cap_usd: 0.01 })).body
  const { token: trusted } = await createKey(api.db, { ...maker, name: 'trusted', mayRaiseLimits: true })
  const statusesOf = (token: string) =>
    Promise.all(
      [
        { method: 'PATCH', url: `/v1/directives/${made}`, payload: { enabled: true } } as const,
        { method: 'POST', url: `/v1/batches/${ended}/retry`, payload: {} } as const,
      ].map(async (request) => (await api.call(request, token)).status),
    )
  expect(await statusesOf(secret)).toEqual([403, 403])
  expect((await maker.get(`/v1/directives/${made}`)).body.directive.status).toBe('off')
  const own = await Promise.all([
    maker.patch(`/v1/directives/${made}`, { enabled: true }),
    maker.post(`/v1/batches/${ended}/retry`, {}),
  ])
  expect(own.map(({ status }) => status)).toEqual([200, 202])
  await maker.patch(`/v1/directives/${made}`, { enabled: false })
  expect(await statusesOf(trusted)).toEqual([200, 202])
})

it('a repeated request finds its batch or directive, also when the work can no longer be done', async () => {
  const words = { endpoint: 'audio/find-words' }
  const withoutModels = await buildApp({ ...api, models: new Set() })
  onTestFinished(() => withoutModels.close())
  for (const [url, payload] of [
    ['/v1/batches', { ...batch, ...words }],
    ['/v1/directives', { ...directive, ...words }],
  ] as const) {
    const headers = { authorization: `Bearer ${maker.token}`, 'idempotency-key': 'again' }
    const request = { method: 'POST', url, payload, headers } as const
    const made = await api.app.inject(request)
    const again = await withoutModels.inject(request)
    expect([made.statusCode, again.statusCode]).toEqual([url === '/v1/batches' ? 202 : 201, 200])
    expect([made, again].map(({ headers: { 'idempotent-replayed': replayed } }) => replayed)).toEqual([
      undefined,
      'true',
    ])
    const idOf = ({ body }: { readonly body: string }) =>
      /"id":"((?:bat|dir)_\w+)"/.exec(body)?.[1] ?? expect.fail(body)
    expect(idOf(again)).toBe(idOf(made))
  }
})

it('a repeated retry releases nothing that failed since, and its key is free for another batch', async () => {
  const urls = ['https://media.example/1.mp4', 'https://media.example/2.mp4']
  const [one, other] = await Promise.all(
    urls.map(async (url) => (await maker.post('/v1/batches', { ...batch, media_urls: [url] })).body.batch.id),
  )
  const failAgain = () =>
    api.db.$executeRaw`UPDATE batch_items SET run_id = NULL, error = '{"code": "not_found", "message": ""}'::jsonb
      WHERE batch_id IN (${one}, ${other})`
  const replays: unknown[] = []
  for (const id of [one, one, other]) {
    await failAgain()
    const answer = await maker.post(`/v1/batches/${id}/retry`, {}, { 'idempotency-key': 'retry' })
    replays.push([answer.status, answer.headers['idempotent-replayed'], answer.body.batch.items.failed])
  }
  expect(replays).toEqual([
    [202, undefined, 0],
    [202, 'true', 1],
    [202, undefined, 0],
  ])
})

it.each([1e-7, 0.123_456_7, 1e-320])('an amount of %s USD is refused, because money has six decimals', async (usd) => {
  const id = (await maker.post('/v1/directives', directive)).body.directive.id
  const answers = await Promise.all([
    maker.post('/v1/batches', { ...batch, cap_usd: usd }),
    maker.post('/v1/directives', { ...directive, monthly_cap_usd: usd }),
    maker.patch(`/v1/directives/${id}`, { monthly_cap_usd: usd }),
  ])
  for (const { status, body } of answers)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('six decimals')])
})
