import { expect, it } from 'vitest'
import { signedIn } from '../account/sign-in/sign-in.ts'
import { codeOf, useApi } from '../api.ts'
import { answerOf, createClient, statusOnMcp } from './client.ts'

// A service without approved clients: the command signs in everywhere.
const api = await useApi({ SIGN_IN_TRIES_PER_ADDRESS: '1000000' })
const client = createClient(api, 'media-timeline', 'command')
const person = await signedIn(api)

const redirect_uri = 'http://127.0.0.1:49321/callback'
const requested = { redirect_uri, resource: undefined, scope: 'all', device_name: 'studio & co' }

it('gives an API key that is named after the machine, with the scope and the cap that the person chose', async () => {
  const page = await client.open(person, client.query(requested))
  expect(page.text).toContain('on <strong>studio &amp; co</strong> asks to use the account')
  const code = await client.code(person, requested, { scope: 'audio/*', monthly_cap_usd: '2.5' })
  const { body } = await client.redeem(code, { redirect_uri })
  expect(body).toEqual({ access_token: expect.stringMatching(/^mt_live_/), token_type: 'Bearer', scope: 'audio/*' })
  const { body: listed } = await person.get('/v1/keys')
  expect(listed.keys).toEqual([
    expect.objectContaining({ name: 'media-timeline on studio & co', scope: 'audio/*', monthly_cap_usd: 2.5 }),
  ])
  expect((await api.call({ url: '/v1/jobs' }, body.access_token)).status).toBe(200)
  expect((await api.call({ url: '/v1/usage' }, body.access_token)).status).toBe(403)
})

it('revokes the key of a code that is used twice', async () => {
  const code = await client.code(person, requested)
  const { body } = await client.redeem(code, { redirect_uri })
  expect(await statusOnMcp(api, body.access_token)).toBe(200)
  expect((await client.redeem(code, { redirect_uri })).body).toMatchObject({ error: 'invalid_grant' })
  expect(await statusOnMcp(api, body.access_token)).toBe(401)
})

it.each([
  'http://127.0.0.1:49321/callback?x=1',
  'http://127.0.0.1:49321/callback#x',
  'http://127.0.0.1:49321/other',
  'http://localhost:49321/callback',
  'http://user@127.0.0.1:49321/callback',
  'https://127.0.0.1:49321/callback',
  'http://127.0.0.1.evil.example:49321/callback',
  'http://[::1]:49321/callback',
  'javascript:alert(1)',
])('redirects nobody to %s', async (address) => {
  const page = await client.open(person, client.query({ ...requested, redirect_uri: address }))
  expect([page.status, page.headers['location']]).toEqual([400, undefined])
})

it('takes the port of the authorization request only, its verifier, and no other client', async () => {
  const code = await client.code(person, requested)
  const elsewhere = await client.redeem(code, { redirect_uri: 'http://127.0.0.1:49322/callback' })
  expect(elsewhere.body).toMatchObject({ error: 'invalid_grant' })
  const unproven = await client.redeem({ ...code, verifier: 'x'.repeat(43) }, { redirect_uri })
  expect(unproven.body).toMatchObject({ error: 'invalid_grant' })
  const other = createClient(api, 'desk-agent', 'command')
  expect((await other.redeem(code, { redirect_uri })).body).toMatchObject({ error: 'invalid_client' })
})

it('is declined to the command, and refuses names that are not one short line', async () => {
  const declined = answerOf(await client.approve(person, requested, { decision: 'deny' }))
  expect(declined).toMatchObject({ to: redirect_uri, error: 'access_denied', state: 'st4te' })
  const long = answerOf(await client.open(person, client.query({ ...requested, device_name: 'x'.repeat(61) })))
  expect(long).toMatchObject({ to: redirect_uri, error: 'invalid_request' })
})

it('asks a person who is not signed in for the password, on a page of its own', async () => {
  const page = await client.open(undefined, client.query(requested))
  expect(page.text).toContain('action="/api/auth/command/sign-in"')
})

it('leaves the pages of connectors closed where no client is approved', async () => {
  const answer = await api.call({ url: `/api/auth/oauth/authorize?${client.query(requested)}` })
  expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
})
