import { describe, expect, it } from 'vitest'
import { password, signedIn } from '../account/sign-in/sign-in.ts'
import { codeOf, useApi } from '../api.ts'
import { answerOf, callback, clients, createClient, documentId, formOf, hiddenFields, statusOnMcp } from './client.ts'

/** What the document of a client says. */
const document = { client_id: documentId, redirect_uris: [callback, 'https://agent.example/unapproved'] }
const readClientDocument = async () => document
const api = await useApi({ OAUTH_CLIENTS: clients, SIGN_IN_TRIES_PER_ADDRESS: '1000000' }, { readClientDocument })
const client = createClient(api)
const person = await signedIn(api)

const iss = 'http://api.test'

describe('the consent page', () => {
  it('names client, account, scopes and limits, escaped, and cannot be framed, cached or scripted', async () => {
    const page = await client.open(person, client.query({ scope: 'all' }))
    expect(page.status).toBe(200)
    for (const part of [
      'Desk &lt;Agent&gt;',
      person.email,
      'http://127.0.0.1:8765',
      'video/*',
      '5 USD of free credits',
    ])
      expect(page.text).toContain(part)
    expect(page.text).not.toMatch(/<Agent>|<script|<a | (on\w+|style)=/)
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
    })
    // Browsers apply it to the redirect to the client as well.
    expect(page.headers['content-security-policy']).not.toContain('form-action')
  })

  it('gives the client a code with state and issuer, and nothing more', async () => {
    const answer = await client.approve(person)
    expect(answer.status).toBe(303)
    expect(answerOf(answer)).toEqual({ to: callback, code: expect.stringMatching(/^mt_code_/), state: 'st4te', iss })
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
  })

  it('keeps the query of a redirect address', async () => {
    const other = createClient(api, 'other-agent')
    const answer = answerOf(await other.approve(person, { redirect_uri: 'https://other.example/cb?tenant=1' }))
    expect(answer).toMatchObject({ to: 'https://other.example/cb', tenant: '1', iss })
  })

  it('gives access_denied when the person declines', async () => {
    expect(answerOf(await client.approve(person, {}, { decision: 'deny' }))).toEqual(
      expect.objectContaining({ to: callback, error: 'access_denied', state: 'st4te', iss }),
    )
  })

  it('narrows a scope and never widens it', async () => {
    expect((await client.connect(person, { scope: 'all' }, { scope: 'audio/*' })).body.scope).toBe('audio/*')
    const widened = answerOf(await client.approve(person, { scope: 'video/* audio/*' }, { scope: 'all' }))
    expect([widened['error'], widened['code']]).toEqual(['invalid_scope', undefined])
  })

  it('sets a monthly cap of the connector, and refuses fields that it does not know', async () => {
    await client.connect(person, {}, { monthly_cap_usd: '2.5' })
    const { connectors } = (await person.get('/api/dashboard/connectors')).body
    expect(connectors[0]).toMatchObject({ name: 'Desk <Agent>', client_id: 'desk-agent', monthly_cap_usd: 2.5 })
    expect(connectors[0]).not.toHaveProperty('last_four')
    for (const wrong of [
      { monthly_cap: '2' },
      { monthly_cap_usd: '1e9' },
      { monthly_cap_usd: '-1' },
      { scope: 'root' },
      { scope: undefined },
    ]) {
      const answer = await client.approve(person, {}, wrong)
      expect([wrong, answer.status, answer.headers['location']]).toEqual([wrong, 400, undefined])
    }
  })
})

describe('an authorization request', () => {
  it.each([
    ['another redirect address', { redirect_uri: 'https://evil.example/cb' }],
    ['a longer redirect address', { redirect_uri: `${callback}?x=1` }],
    ['another port', { redirect_uri: 'http://127.0.0.1:9999/callback' }],
    ['the address of another client', { redirect_uri: 'https://other.example/cb?tenant=1' }],
    ['no redirect address', { redirect_uri: undefined }],
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['an error besides', { redirect_uri: 'https://evil.example/cb', response_type: 'token' }],
  ])('with %s leads nowhere', async (_what, fields) => {
    for (const who of [person, undefined]) {
      const answer = await client.open(who, client.query(fields))
      expect([answer.status, answer.headers['location']]).toEqual([400, undefined])
      expect(answer.text).not.toContain('evil.example')
    }
  })

  it('with a repeated parameter leads nowhere', async () => {
    const answer = await client.open(person, `${client.query()}&client_id=other-agent`)
    expect([answer.status, answer.headers['location']]).toEqual([400, undefined])
  })

  it.each([
    ['invalid_request', 'no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['invalid_request', 'PKCE plain', { code_challenge_method: 'plain' }],
    ['invalid_request', 'no PKCE method', { code_challenge_method: undefined }],
    ['invalid_request', 'a challenge of another length', { code_challenge: 'a'.repeat(42) }],
    ['invalid_target', 'another resource', { resource: 'https://else.example/mcp' }],
    ['invalid_scope', 'an unknown scope', { scope: 'video/* root' }],
    ['unsupported_response_type', 'an implicit grant', { response_type: 'token' }],
    ['invalid_request', 'another response mode', { response_mode: 'fragment' }],
    ['request_not_supported', 'a request object', { request: 'x.y.z' }],
    ['consent_required', 'prompt none', { prompt: 'none' }],
  ])('gives the client %s for %s', async (error, _what, fields) => {
    const answer = await client.open(person, client.query(fields))
    expect(answer.status).toBe(303)
    expect(answerOf(answer)).toMatchObject({ to: callback, error, state: 'st4te', iss })
    expect(answerOf(answer)).not.toHaveProperty('code')
  })

  it('may leave out scope, state and resource, and name the other base', async () => {
    const leftOut = { scope: undefined, state: undefined, resource: undefined }
    const left = answerOf(await client.approve(person, leftOut, { scope: 'all' }))
    expect(left).toEqual({ to: callback, code: expect.any(String), iss })
    expect(answerOf(await client.approve(person, { resource: 'http://fallback.test/mcp' }))['code']).toBeDefined()
  })
})

describe('the scope that the consent page proposes', () => {
  const proposed = ({ text }: { readonly text: string }) => /name="scope" value="([^"]*)"[^>]* checked/.exec(text)?.[1]

  it.each([
    ['the requested one', { scope: 'audio/*' }, 'audio/*'],
    ['all, if that is requested', { scope: 'video/* all' }, 'all'],
    ['none, if none is named', { scope: undefined }, undefined],
    ['none, if its name is misspelt', { scope: undefined, scopes: 'audio/*' }, undefined],
  ])('is %s', async (_what, fields, scope) => {
    expect(proposed(await client.open(person, client.query(fields)))).toBe(scope)
  })

  it('must be chosen where none is proposed', async () => {
    const page = await client.open(person, client.query({ scope: undefined }))
    expect(page.text.match(/name="scope" value="[^"]*" required>/g)).toHaveLength(4)
    expect((await client.approve(person, { scope: undefined })).status).toBe(400)
    expect(answerOf(await client.approve(person, { scope: undefined }, { scope: 'audio/*' }))['code']).toBeDefined()
  })

  it.each(['ALL', 'audio', 'audio/* vidoe/*'])('is refused if it is misspelt: %s', async (scope) => {
    expect(answerOf(await client.open(person, client.query({ scope })))).toMatchObject({ error: 'invalid_scope' })
  })
})

describe('a client whose id is a document', () => {
  it('has the redirect addresses that configuration and document agree on', async () => {
    const agent = createClient(api, documentId)
    expect(await statusOnMcp(api, (await agent.connect(person)).access)).toBe(200)
    for (const redirect_uri of ['https://agent.example/old', 'https://agent.example/unapproved'])
      expect((await agent.open(person, agent.query({ redirect_uri }))).status).toBe(400)
  })
})

describe('a person who is not signed in', () => {
  const signInForm = (request: string, given: object = {}) =>
    formOf({ request, email: person.email, password, ...given })
  const own = () => ({ origin: client.origin, accept: 'text/html' })

  it('signs in on the page, sees the consent page, and nothing is approved by that', async () => {
    const query = client.query()
    const page = await client.open(undefined, query)
    expect([page.status, hiddenFields(page)]).toEqual([200, { request: query }])
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    const wrong = await client.submit('sign-in', signInForm(query, { password: 'wrong password' }), own())
    expect([wrong.status, hiddenFields(wrong)]).toEqual([401, { request: query }])
    const signed = await client.submit('sign-in', signInForm(query), own())
    expect([signed.status, signed.headers['location']]).toEqual([303, `/api/auth/oauth/authorize?${query}`])
    const [cookie = ''] = [signed.headers['set-cookie'] ?? []].flat().map((text) => String(text).split(';', 1)[0])
    const consent = await client.open({ cookie: () => cookie }, query)
    expect(consent.text).toContain(person.email)
  })

  it('is sent to no other place than the page of the request', async () => {
    for (const request of [
      '//evil.example',
      'https://evil.example',
      client.query({ redirect_uri: 'https://evil.example/cb' }),
    ]) {
      const answer = await client.submit('sign-in', signInForm(request), own())
      expect([answer.status, answer.headers['location'], answer.headers['set-cookie']]).toEqual([
        400,
        undefined,
        undefined,
      ])
    }
  })
})

describe('a forged approval', () => {
  const fields = async () => ({
    ...hiddenFields(await client.open(person, client.query())),
    scope: 'video/*',
    decision: 'approve',
  })

  it('from a page of another site, or without an origin, is refused', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      const answer = await client.decide(person, await fields(), { ...headers, accept: 'application/json' })
      expect([codeOf(answer), answer.headers['location']]).toEqual(['csrf_failed', undefined])
    }
    const body = formOf(await fields())
    const answer = await client.submit('authorize', body, { cookie: person.cookie() ?? '' })
    expect(codeOf(answer)).toBe('csrf_failed')
  })

  it('with a changed request, time or signature, or the form of another session, is refused', async () => {
    const good = await fields()
    const other = await signedIn(api)
    const later = String(Date.now() + 10_000_000)
    const changes = [
      { request: client.query({ scope: 'all' }) },
      { until: later },
      { signature: 'a'.repeat(43) },
      { until: '0' },
    ]
    for (const change of changes) {
      const answer = await client.decide(person, { ...good, ...change }, { accept: 'application/json' })
      expect([change, codeOf(answer)]).toEqual([change, 'csrf_failed'])
    }
    expect(codeOf(await client.decide(other, good, { accept: 'application/json' }))).toBe('csrf_failed')
    expect((await client.decide(person, good)).status).toBe(303)
  })

  it('without a session is refused', async () => {
    const nobody = { cookie: () => '' }
    expect(codeOf(await client.decide(nobody, await fields(), { accept: 'application/json' }))).toBe('sign_in_required')
  })
})
