import { describe, expect, it } from 'vitest'
import { buildApp } from '../../../api/app.ts'
import { loadsPerMinute } from '../../../api/http/linked-pages.ts'
import { deleteAccount } from '../../../src/accounts/erase-account.ts'
import { createKey, revokeKey } from '../../../src/accounts/keys.ts'
import { suspendAccount } from '../../../src/accounts/suspension.ts'
import { randomText } from '../../../src/core/ids.ts'
import { createShare, maxShares } from '../../../src/shares/shares.ts'
import { untilFound } from '../../until-found.ts'
import { type Answer, type Api, codeOf, type TestAccount, useApi } from '../api.ts'
import { completeJob } from '../jobs/complete-job.ts'
import { presentDraft } from '../jobs/drafts.ts'
import { createAgent } from '../mcp/agent.ts'

const documentOf = (head: string) => `<head>${head}</head><div id="root"></div>`
const pages = { index: '', linked: documentOf('<!-- head of this response -->'), assets: new Map() }

const api = await useApi({ TRUST_PROXY: '1' }, { pages })
const account = await api.newAccount()

const receipt = {
  ...{ joints: 1, drift_ms: 0, audio_video_offset_ms: 3.2, mode: 'exact' },
  presented: { start: 1, end: 9 },
  ranges: [
    { presented: { start: 1, end: 2 }, at: 0 },
    { presented: { start: 8, end: 9 }, at: 1 },
  ],
}

const newClip = async (owner: TestAccount): Promise<string> =>
  (await presentDraft(api, owner, 1, false, { receipt, receipts: undefined })).id

/** A completed job, on an upload or on what its settings have. */
async function newJob(
  owner: TestAccount,
  endpoint: string,
  result: Record<string, unknown>,
  settings?: object,
): Promise<string> {
  const given = settings ? { media_url: undefined, settings } : { media_url: await owner.upload('secret-talk.mp4') }
  const jobId = await owner.create({ endpoint, ...given })
  await completeJob(api, jobId, result, { billedMilliseconds: 1_000 })
  return jobId
}

async function share(owner: TestAccount, fields: object): Promise<{ id: string; path: string }> {
  const { status, body } = await owner.post('/v1/shares', fields)
  expect([status, body.error]).toEqual([201, undefined])
  return { id: body.share.id, path: new URL(body.url).pathname }
}

let address = 0
/** Each test is another visitor, because visitors are limited. */
const visitor = () => {
  address += 1
  return `203.0.113.${address}`
}
const open = (url: string, headers: Record<string, string> = {}, from = visitor()) =>
  api.call({ url, headers: { accept: 'text/html', 'x-forwarded-for': from, ...headers } })
const shown = async (path: string) => (await open(`${path}.json`)).body.shared

/** The API beside one that counts the addresses that it signs, each of which waits. */
async function countingSigns(wait: Promise<unknown> = Promise.resolve()) {
  let signed = 0
  const presignGet: Api['storage']['presignGet'] = async (file) => {
    signed += 1
    await wait
    return api.storage.presignGet(file)
  }
  const app = await buildApp({ ...api, storage: { ...api.storage, presignGet } })
  return { app, signed: () => signed }
}

const subjectOf = async (id: string) => (await api.db.share.findUniqueOrThrow({ where: { id } })).subjectId

describe('a share', () => {
  it('shows a cut to everybody who has its address, which is told once', async () => {
    const job_id = await newClip(account)
    const { status, body } = await account.post('/v1/shares', { job_id })
    expect([status, body.share]).toEqual([
      201,
      {
        ...{ id: expect.stringMatching(/^shr_/), job_id, work: 'video/clip-window', media_name: 'interview.mp4' },
        ...{ allow_download: false, allow_embed: false, include_source: false, include_transcript: false },
        ...{ created_at: expect.any(String), expires_at: expect.any(String) },
      },
    ])
    expect(body.url).toMatch(/^http:\/\/api\.test\/s\/[a-zA-Z0-9]{22}$/)
    expect(JSON.stringify((await account.get('/v1/shares')).body)).not.toContain(body.url.slice(-22))
    const stored = await api.db.share.findUniqueOrThrow({ where: { id: body.share.id } })
    expect(Buffer.from(stored.tokenHash).toString('latin1')).not.toContain(body.url.slice(-22))

    expect(await shown(new URL(body.url).pathname)).toMatchObject({
      ...{ name: 'clip-0.mp4', of: 'output', duration_seconds: 2 },
      tracks: [
        {
          name: 'part',
          total: 2,
          segments: [
            { start: 0, end: 1 },
            { start: 1, end: 2 },
          ],
        },
      ],
      outputs: [{ name: 'clip-0.mp4', content_type: 'video/mp4', url: expect.stringContaining('/storage/outputs/') }],
      receipt: { joints: 1, drift_ms: 0, audio_video_offset_ms: 3.2 },
    })
  })

  it('plays its file for 15 minutes, and has a link to save it only if that is allowed', async () => {
    const job_id = await newClip(account)
    const plain = (await shown((await share(account, { job_id })).path)).outputs[0]
    expect(plain.download_url).toBeUndefined()
    const expires = Number(new URL(plain.url).searchParams.get('expires')) - Date.now() / 1000
    expect(expires).toBeGreaterThan(850)
    expect(expires).toBeLessThanOrEqual(900)
    const { pathname, search } = new URL(plain.url)
    expect((await open(`${pathname}${search}`)).text).toBe('clip 0')
    const saved = (await shown((await share(account, { job_id, allow_download: true })).path)).outputs[0]
    expect(saved.download_url).toContain('download=1')
  })

  it('has nothing of the account, neither on the page nor in its contents', async () => {
    const job_id = await newClip(account)
    const { path, id } = await share(account, { job_id, allow_embed: true })
    const own = [account.accountId, account.token, account.keyId, id]
    const embed = (await open(`/oembed?url=${encodeURIComponent(`http://api.test${path}`)}`)).text
    for (const text of [(await open(path)).text, (await open(`${path}.json`)).text, embed])
      for (const each of own) expect(text).not.toContain(each)
    // Of the job, the file's address has the id; no field has it.
    const { outputs, ...rest } = await shown(path)
    expect(outputs).toHaveLength(1)
    expect(JSON.stringify(rest)).not.toContain(job_id)
  })

  it('shows what was found, and of its source and of what is said nothing without a choice', async () => {
    const transcript = {
      sentences: [{ start: 0, end: 1, duration: 1, text: 'Hello world.' }],
      words: [{ start: 0, end: 0.5, text: 'Hello', confidence: 1 }],
    }
    const matches = [{ start: 0, end: 0.5, duration: 0.5, text: 'Hello', query: 'hello' }]
    const job_id = await newJob(account, 'audio/find-words', { media_seconds: 10, matches, transcript })
    const { path } = await share(account, { job_id })
    const plain = await shown(path)
    expect(plain).toMatchObject({ name: 'secret-talk.mp4', of: 'media', outputs: [] })
    expect(plain.tracks).toEqual([{ name: 'match', total: 1, segments: [{ start: 0, end: 0.5 }] }])
    expect(JSON.stringify(plain)).not.toMatch(/Hello|uploads/)

    const chosen = await share(account, { job_id, include_source: true, include_transcript: true })
    const { source, transcript: said } = await shown(chosen.path)
    expect(source).toMatchObject({ name: 'secret-talk.mp4', url: expect.stringContaining('/storage/uploads/') })
    expect(source.download_url).toBeUndefined()
    expect(said).toMatchObject([{ text: 'Hello' }])
  })

  const segments = [{ start: 0, end: 4 }]
  it.each([
    [
      'timeline/find-highlights',
      { ranges: [{ start: 0, end: 4, duration: 4, rank: 1, score: 1, text: 'Hello', reasons: [] }] },
      { sentences: [{ start: 0, end: 4, text: 'Hello' }] },
    ],
    [
      'timeline/suggest-ranges',
      { media_seconds: 10, ranges: [], cuts: [{ start: 0, end: 4, duration: 4, text: 'Hello', reason: 'word' }] },
      { segments, media_seconds: 10 },
    ],
    ['audio/semantic-chunks', { chunks: [{ start: 0, end: 4, duration: 4, title: 'Hello' }] }, undefined],
  ])('of %s names nothing by what was said, unless it shows what is said', async (endpoint, result, settings) => {
    const job_id = await newJob(account, endpoint, result, settings)
    const tracksOf = async (fields: object) => (await shown((await share(account, { job_id, ...fields })).path)).tracks
    expect(await tracksOf({})).toMatchObject([{ total: 1, segments }])
    expect(JSON.stringify(await tracksOf({}))).not.toContain('Hello')
    expect(await tracksOf({ include_transcript: true })).toMatchObject([{ segments: [{ label: 'Hello' }] }])
  })

  it('by a narrow key names no media that the key cannot read', async () => {
    const silences = await newJob(account, 'audio/detect-silence', { media_seconds: 10, segments })
    const job_id = await newJob(account, 'timeline/suggest-ranges', { ranges: segments }, { job_id: silences })
    const { secret } = (await account.post('/v1/keys', { name: 'ranges', scope: 'timeline/*' })).body
    const made = await api.call({ method: 'POST', url: '/v1/shares', payload: { job_id } }, secret)
    expect(await shown(new URL(made.body.url).pathname)).toMatchObject({ name: 'Result', tracks: [{ total: 1 }] })
    expect(await shown((await share(account, { job_id })).path)).toMatchObject({ name: 'secret-talk.mp4' })
  })

  it('signs the addresses of its files once a minute, and never after its revocation', async () => {
    const { path, id } = await share(account, { job_id: await newClip(account) })
    const { app, signed } = await countingSigns()
    const load = async () => (await app.inject({ url: `${path}.json` })).statusCode
    expect([await Promise.all([load(), load()]), await load()]).toEqual([[200, 200], 200])
    expect(signed()).toBe(1)
    await api.call({ method: 'DELETE', url: `/v1/shares/${id}` }, account.token)
    expect([await load(), signed()]).toEqual([404, 1])
    await app.close()
  })

  it('is read once a minute for its contents and for oEmbed', async () => {
    const { path, id } = await share(account, { job_id: await newClip(account), allow_embed: true })
    const { app, signed } = await countingSigns()
    const embed = `/oembed?url=${encodeURIComponent(`http://api.test${path}`)}`
    expect((await app.inject({ url: `${path}.json` })).json().shared.name).toBe('clip-0.mp4')
    await api.db.job.updateMany({ where: { id: await subjectOf(id) }, data: { status: 'failed' } })
    const { statusCode, body } = await app.inject({ url: embed })
    expect([statusCode, JSON.parse(body).title, signed()]).toEqual([200, 'clip-0.mp4', 1])
    await app.close()
  })

  it('is kept for a minute only if it is not large', async () => {
    const found = (characters: number) => ({
      ranges: Array.from({ length: 2000 }, (_, index) => ({
        ...{ start: index, end: index + 1, duration: 1, rank: 1, score: 1, text: 'x'.repeat(characters), reasons: [] },
      })),
    })
    const { app, signed } = await countingSigns()
    const signsOf = async (characters: number) => {
      const job_id = await newJob(account, 'timeline/find-highlights', found(characters), {
        sentences: [{ start: 0, end: 4, text: 'Hello' }],
      })
      const media = await api.db.job.findFirstOrThrow({
        where: { accountId: account.accountId, mediaKey: { not: null } },
        select: { mediaKey: true, mediaUrl: true },
      })
      await api.db.job.update({ where: { id: job_id }, data: media })
      const { path } = await share(account, { job_id, include_source: true, include_transcript: true })
      const before = signed()
      for (const url of [`${path}.json`, `${path}.json`]) expect((await app.inject({ url })).statusCode).toBe(200)
      return signed() - before
    }
    expect([await signsOf(10), await signsOf(1000)]).toEqual([1, 2])
    await app.close()
  })

  it('of a large result counts among the loads in progress no longer than the result is in memory', async () => {
    const owner = await api.newAccount()
    const large = { receipt, receipts: undefined, more: 'x'.repeat(300_000) }
    const paths: string[] = []
    for (let count = 0; count < 3; count += 1)
      paths.push((await share(owner, { job_id: (await presentDraft(api, owner, 1, false, large)).id })).path)
    let end = () => {}
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    const { app, signed } = await countingSigns(isOver)
    const load = async (path = '') => (await app.inject({ url: `${path}.json` })).statusCode
    const first = paths.slice(0, 2).map((path) => load(path))
    await untilFound(() => signed() === 2)
    const third = load(paths[2])
    await untilFound(() => signed() === 3)
    end()
    expect(await Promise.all([...first, third])).toEqual([200, 200, 200])
    await app.close()
  })

  it('is refused for what has not completed, for both or none, and for a source that is no upload', async () => {
    const job_id = await account.create()
    const clip = await newClip(account)
    for (const [fields, code] of [
      [{ job_id }, 'conflict'],
      [{}, 'invalid_request'],
      [{ job_id: clip, run_id: 'run_1' }, 'invalid_request'],
      [{ job_id: clip, include_source: true }, 'invalid_request'],
      [{ job_id: clip, expires_in_seconds: 30 * 86_400 + 1 }, 'invalid_request'],
      [{ job_id: 'run_1' }, 'not_found'],
      [{ run_id: clip }, 'not_found'],
    ] as const)
      expect([fields, codeOf(await account.post('/v1/shares', fields))]).toEqual([fields, code])
  })

  it('ends no later than the key that makes it, and is refused to one that was revoked meanwhile', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const { keyId } = await createKey(api.db, { accountId: account.accountId, name: 'short', expiresAt })
    const { id } = await share(account, { job_id: await newClip(account) })
    const { id: _id, tokenHash: _hash, ...row } = await api.db.share.findUniqueOrThrow({ where: { id } })
    const make = () => createShare(api.db, { ...row, apiKeyId: keyId })
    expect((await make()).share.expiresAt).toEqual(expiresAt)
    const before = await api.db.share.count()
    await api.db.apiKey.update({ where: { id: keyId }, data: { expiresAt: new Date() } })
    await expect(make()).rejects.toMatchObject({ code: 'invalid_api_key' })
    await api.db.apiKey.update({ where: { id: keyId }, data: { expiresAt: null, revokedAt: new Date() } })
    await expect(make()).rejects.toMatchObject({ code: 'invalid_api_key' })
    expect(await api.db.share.count()).toBe(before)
  })

  it('of an account that has as many as it may is refused', async () => {
    const owner = await api.newAccount()
    const job_id = await newClip(owner)
    const { id } = await share(owner, { job_id })
    const row = await api.db.share.findUniqueOrThrow({ where: { id } })
    const copies = Array.from({ length: maxShares - 1 }, (_, index) => ({
      ...row,
      id: `shr_${index}`.padEnd(28, 'a'),
      tokenHash: new Uint8Array([index]),
    }))
    await api.db.share.createMany({ data: copies })
    expect(codeOf(await owner.post('/v1/shares', { job_id }))).toBe('conflict')
    await api.call({ method: 'DELETE', url: `/v1/shares/${id}` }, owner.token)
    await share(owner, { job_id })
  })
})

/** What differs between two equal answers. */
const withoutIds = ({ status, text, headers }: Answer) => [
  status,
  text.replaceAll(/req_[a-zA-Z0-9]{24}/g, 'req'),
  { ...headers, 'x-request-id': '', date: '', 'ratelimit-remaining': '', 'ratelimit-reset': '' },
]

describe('a link that shows nothing', () => {
  it('has one answer, whether it is guessed, expired, revoked, or its job, its account, its key or the access is gone', async () => {
    const kinds: Record<string, string> = {
      guessed: `/s/${randomText(22)}`,
      malformed: '/s/x',
      long: `/s/${randomText(80)}`,
    }
    const expired = await share(account, { job_id: await newClip(account), allow_embed: true })
    await api.db.share.update({ where: { id: expired.id }, data: { expiresAt: new Date() } })
    kinds['expired'] = expired.path
    const revoked = await share(account, { job_id: await newClip(account), allow_embed: true })
    expect((await api.call({ method: 'DELETE', url: `/v1/shares/${revoked.id}` }, account.token)).status).toBe(200)
    kinds['revoked'] = revoked.path
    const job_id = await newClip(account)
    kinds['of a deleted job'] = (await share(account, { job_id, allow_embed: true })).path
    expect((await api.call({ method: 'DELETE', url: `/v1/jobs/${job_id}` }, account.token)).status).toBe(200)
    const gone = await api.newAccount()
    kinds['of a deleted account'] = (await share(gone, { job_id: await newClip(gone), allow_embed: true })).path
    await deleteAccount(api, gone.accountId)
    const suspended = await api.newAccount()
    kinds['of a suspended account'] = (await share(suspended, { job_id: await newClip(suspended) })).path
    await suspendAccount(api.db, { accountId: suspended.accountId, reason: 'test', hashMailbox: (email) => email })

    const byKey = await api.accountOf(account.accountId)
    const ofKey = await share(byKey, { job_id: await newClip(byKey), allow_embed: true })
    const connector = await createKey(api.db, { kind: 'con', accountId: account.accountId, name: 'assistant' })
    const { id, tokenHash: _, ...row } = await api.db.share.findUniqueOrThrow({ where: { id: ofKey.id } })
    const { token } = await createShare(api.db, { ...row, apiKeyId: connector.keyId })
    expect((await open(`/s/${token}`)).status).toBe(200)
    for (const { keyId } of [byKey, connector]) await revokeKey(api.db, account.accountId, keyId)
    kinds['of a revoked key'] = ofKey.path
    kinds['of a revoked connector'] = `/s/${token}`
    expect(JSON.stringify((await account.get('/v1/shares')).body)).not.toContain(id)

    const from = visitor()
    const answers = async (path: string) => [
      withoutIds(await open(path, {}, from)),
      withoutIds(await open(`${path}/embed`, {}, from)),
      withoutIds(await open(`${path}.json`, {}, from)),
      withoutIds(await open(`/oembed?url=${encodeURIComponent(`http://api.test${path}`)}`, {}, from)),
    ]
    const expected = await answers(`/s/${randomText(22)}`)
    expect(expected.map(([status]) => status)).toEqual([404, 404, 404, 404])
    for (const [kind, path] of Object.entries(kinds)) expect([kind, await answers(path)]).toEqual([kind, expected])
    // The page has no id of the request, so that it is the same to the byte.
    expect((await open(kinds['guessed'] ?? '')).text).toBe((await open(kinds['revoked'] ?? '')).text)
  })

  it('is that of a run after its deletion', async () => {
    const body = { mode: 'run_all', media_url: 'https://media.example/talk.mp4', media_seconds: 60 }
    const { run } = (await account.post('/v1/workflows/remove-dead-space/runs', body)).body
    expect(codeOf(await account.post('/v1/shares', { run_id: run.id }))).toBe('conflict')
    await api.db.job.updateMany({ where: { runId: run.id }, data: { status: 'completed', result: {} } })
    await api.db.workflowRun.update({ where: { id: run.id }, data: { endedAt: new Date() } })
    const { path } = await share(account, { run_id: run.id })
    expect((await open(`${path}.json`)).status).toBe(200)
    await api.call({ method: 'DELETE', url: `/v1/workflow-runs/${run.id}` }, account.token)
    expect((await open(`${path}.json`)).status).toBe(404)
  })

  it('is that of a share that was created while its job was deleted', async () => {
    const { path, id } = await share(account, { job_id: await newClip(account) })
    const { subjectId } = await api.db.share.findUniqueOrThrow({ where: { id } })
    await api.db.job.update({ where: { id: subjectId }, data: { deletedAt: new Date() } })
    for (const form of ['', '.json']) expect((await open(`${path}${form}`)).status).toBe(404)
  })
})

describe('the page', () => {
  it('is found by no search, kept by no cache, and can be framed nowhere but in its form for frames', async () => {
    const { path } = await share(account, { job_id: await newClip(account), allow_embed: true })
    const [page, embed] = [await open(path), await open(`${path}/embed`)]
    for (const { status, headers } of [page, embed, await open(`${path}.json`)]) {
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      })
      expect(headers['set-cookie']).toBeUndefined()
    }
    const policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' http://api.test/storage/; media-src 'self' http://api.test/storage/; connect-src 'self' http://api.test; base-uri 'none'; form-action 'none'; frame-ancestors "
    expect(page.headers).toMatchObject({
      'content-security-policy': `${policy}'none'`,
      'x-frame-options': 'SAMEORIGIN',
    })
    expect(embed.headers['content-security-policy']).toBe(`${policy}*`)
    expect(embed.headers['x-frame-options']).toBeUndefined()
    expect(embed.headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(embed.text).not.toMatch(/<script(?![^>]* src=)/)
  })

  it('answers alike with and without cookies', async () => {
    const { path } = await share(account, { job_id: await newClip(account) })
    const cookie = 'media_timeline.session_token=some'
    expect((await open(path, { cookie })).text).toBe((await open(path)).text)
  })

  it('has no form for frames, and no answer of oEmbed, unless that is allowed', async () => {
    const { path } = await share(account, { job_id: await newClip(account) })
    expect((await open(path)).text).toBe(documentOf(''))
    expect((await open(`${path}/embed`)).status).toBe(404)
    expect((await open(`/oembed?url=${encodeURIComponent(`http://api.test${path}`)}`)).status).toBe(404)
  })

  it('is opened a limited number of times a minute from one address', async () => {
    const from = visitor()
    const guess = () => open(`/s/${randomText(22)}.json`, {}, from)
    const statuses = []
    for (let index = 0; index <= loadsPerMinute; index += 1) statuses.push((await guess()).status)
    expect(statuses.slice(0, loadsPerMinute)).toEqual(Array.from({ length: loadsPerMinute }, () => 404))
    const refused = await guess()
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited'])
    expect((await open(`/s/${randomText(22)}.json`)).status).toBe(404)
  })
})

describe('GET /oembed', () => {
  const ask = (url: string, more = '') => open(`/oembed?url=${encodeURIComponent(url)}${more}`)

  it('describes a frame of the share, which the page names, with its name as text', async () => {
    const jobId = await newClip(account)
    await api.db.output.updateMany({ where: { jobId }, data: { fileName: '"><script>alert(1)</script>.mp4' } })
    const { path } = await share(account, { job_id: jobId, allow_embed: true })
    const page = `http://api.test${path}`
    const [, found = ''] = /type="application\/json\+oembed" href="([^"]+)"/.exec((await open(path)).text) ?? []
    const { pathname, search } = new URL(found.replaceAll('&amp;', '&'))
    const { body } = await open(`${pathname}${search}`)
    expect(body).toEqual({
      ...{ version: '1.0', type: 'rich', title: '"><script>alert(1)</script>.mp4', cache_age: 300 },
      ...{ provider_name: 'Media Timeline', provider_url: 'http://api.test', width: 800, height: 560 },
      html: `<iframe src="${page}/embed" width="800" height="560" title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;.mp4" sandbox="allow-scripts allow-same-origin" allow="fullscreen"></iframe>`,
    })
    expect((await ask(page, '&maxwidth=500&maxheight=300&format=json&other=1')).body).toMatchObject({
      width: 500,
      height: 300,
    })
  })

  it('is for exactly the address of the page, as JSON', async () => {
    const { path } = await share(account, { job_id: await newClip(account), allow_embed: true })
    const page = `http://api.test${path}`
    expect((await ask(page, '&format=xml')).status).toBe(501)
    for (const other of [`${page}/embed`, `${page}?a`, `${page}#a`, `https://evil.example${path}`, path, 'x'])
      expect([other, (await ask(other)).status]).toEqual([other, 404])
    expect((await ask(page)).status).toBe(200)
  })
})

describe('another account', () => {
  it('neither sees nor revokes a share, and shares no job of this one', async () => {
    const other = await api.newAccount()
    const job_id = await newClip(account)
    const { id, path } = await share(account, { job_id })
    expect((await other.get('/v1/shares')).body.shares).toEqual([])
    expect(codeOf(await other.post('/v1/shares', { job_id }))).toBe('not_found')
    const refused = await api.call({ method: 'DELETE', url: `/v1/shares/${id}` }, other.token)
    expect([refused.status, codeOf(refused)]).toEqual([404, 'not_found'])
    expect((await open(`${path}.json`)).status).toBe(200)
  })

  it('and a key of another scope see none of its shares', async () => {
    const { id } = await share(account, { job_id: await newClip(account) })
    const { secret: audio } = (await account.post('/v1/keys', { name: 'audio', scope: 'audio/*' })).body
    const { secret: video } = (await account.post('/v1/keys', { name: 'video', scope: 'video/*' })).body
    const idsFor = async (token: string) =>
      (await api.call({ url: '/v1/shares' }, token)).body.shares.map((each: { id: string }) => each.id)
    expect(await idsFor(audio)).not.toContain(id)
    expect(await idsFor(video)).toContain(id)
  })
})

it('an answer to an agent says where its link ends, and names no request to a connector, which is refused there', async () => {
  const job_id = await newClip(account)
  const { token } = await createKey(api.db, { kind: 'con', accountId: account.accountId, name: 'agent' })
  const textFor = async (credential: string) =>
    String((await createAgent(api, credential).use('svc.create_share', { job_id })).content[0]?.['text'])
  expect(await textFor(token)).toMatch(/ The owner revokes it at http:\/\/api\.test\/dashboard\/shares\.$/)
  expect(await textFor(account.token)).toMatch(/\/shares, and this key by DELETE \/v1\/shares\/shr_\w+\.$/)
})
