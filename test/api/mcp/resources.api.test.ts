import { describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/keys.ts'
import { codeOf, useApi } from '../api.ts'
import { completeJob } from '../jobs/complete-job.ts'
import { createAgent, protocolVersions } from './agent.ts'

const api = await useApi()
const account = await api.newAccount()
const job_id = await account.create({ endpoint: 'audio/detect-energy' })
await completeJob(api, job_id, { media_seconds: 20, segments: [{ start: 1, end: 20, duration: 19 }] })
const { content } = await createAgent(api, account.token).use('svc.get_job_result', { job_id })
const uri = String(content.find(({ type }) => type === 'resource_link')?.['uri'])

const read = async (address: string, token = account.token) =>
  (await createAgent(api, token, '2026-07-28').send('resources/read', { uri: address })).body

describe('an export that a result names', () => {
  it.each(protocolVersions)('is read with the credential of the result, in version %s', async (version) => {
    const { result } = (await createAgent(api, account.token, version).send('resources/read', { uri })).body
    const { text } = await account.get(uri.slice('http://api.test'.length))
    expect(result.contents).toEqual([{ uri, mimeType: 'text/csv', text }])
    expect(text).toContain('1.000,20.000,19.000')
  })

  it('is read in every format, and over REST by a connector', async () => {
    const { result } = await read(uri.replace('as=csv', 'as=srt'))
    expect(result.contents[0]).toMatchObject({ mimeType: 'application/x-subrip', text: expect.stringContaining('-->') })
    const [, warning] = (await read(uri.replace('as=csv', 'as=chapters'))).result.contents
    expect(warning).toMatchObject({ mimeType: 'text/plain', text: expect.stringContaining('at least 3') })
    const { token } = await createKey(api.db, { kind: 'con', accountId: account.accountId, name: 'assistant' })
    expect((await read(uri, token)).result.contents[0].text).toContain('1.000,20.000')
    expect((await api.call({ url: uri.slice('http://api.test'.length) }, token)).status).toBe(200)
  })

  it('is not read by others, without a credential, elsewhere, or with a misspelt parameter', async () => {
    const stranger = await api.newAccount()
    const { token } = await createKey(api.db, { accountId: account.accountId, name: 'video', scope: 'video/*' })
    for (const other of [stranger.token, token]) expect((await read(uri, other)).error.message).toMatch(/^not_found: /)
    const wrong = [
      ...[
        '',
        'nothing',
        'file:///etc/passwd',
        uri.replace('api.test', 'evil.example'),
        uri.replace('/export', '/other'),
      ],
      ...[uri.replace('as=csv', 'format=csv'), `${uri}&lists=segments`, uri.replace('csv', 'docx')],
    ]
    for (const each of wrong) expect([each, (await read(each)).error?.code]).toEqual([each, -32_602])
    const keyless = await createAgent(api, undefined, '2026-07-28').send('resources/read', { uri })
    expect([keyless.status, codeOf(keyless)]).toEqual([401, 'missing_api_key'])
  })
})
