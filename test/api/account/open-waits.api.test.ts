import { describe, expect, it } from 'vitest'
import { codeOf, mediaUrl, useApi } from '../api.ts'
import { createAgent } from '../mcp/agent.ts'
import { clients, createClient } from '../oauth/client.ts'
import { linkIn, mailsTo, openPage, password, signedIn } from './sign-in/sign-in.ts'

const api = await useApi({ OAUTH_CLIENTS: clients, SIGN_IN_TRIES_PER_ADDRESS: '1000000' })

type Owner = Awaited<ReturnType<typeof signedIn>>
type Connected = Awaited<ReturnType<ReturnType<typeof createClient>['connect']>>

const job = { endpoint: 'audio/detect-silence', media_url: mediaUrl }

/** What the owner or the client of an OAuth connection does, and whether keys of the account end too. */
const endings: Readonly<
  Record<string, readonly [endsKeys: boolean, end: (owner: Owner, oauth: Connected) => Promise<unknown>]>
> = {
  'the deletion of the account': [
    true,
    async (owner) => {
      const headers = { cookie: owner.cookie(), origin: new URL(api.config.BASE_URL).origin }
      return api.call({ method: 'DELETE', url: '/v1/account', payload: { password }, headers })
    },
  ],
  'a new password that revokes the keys': [
    true,
    async (owner) => {
      await owner.post('/api/auth/request-password-reset', { email: owner.email })
      const { token } = linkIn((await mailsTo(api, owner.email, 2))[1])
      const chosen = { token, password: 'another horse battery', revoke_keys: true }
      return openPage(api).post('/api/auth/reset-password', chosen)
    },
  ],
  'the client, which revokes its token': [false, async (_owner, { refresh }) => createClient(api).revoke(refresh)],
  'a refresh token that is used again': [
    false,
    async (_owner, { refresh }) => {
      await createClient(api).refresh(refresh)
      return createClient(api).refresh(refresh)
    },
  ],
}

describe('open long polls and streams end with', () => {
  it.each(Object.keys(endings))('%s', async (what) => {
    const [endsKeys, end] = endings[what] ?? expect.fail('unknown')
    const owner = await signedIn(api)
    const { accountId } = owner
    const { secret } = (await owner.post('/v1/keys', { name: 'server' })).body
    const oauth = await createClient(api).connect(owner, { scope: 'all' })
    const jobId = (await api.call({ method: 'POST', url: '/v1/jobs', payload: job }, secret)).body.job_id
    const count = () => api.db.openWait.count({ where: { accountId } })

    const stream = createAgent(api, oauth.access).send('tools/call', {
      ...{ name: 'svc.get_job', arguments: { job_id: jobId, wait_seconds: 25 } },
      _meta: { progressToken: 1 },
    })
    const poll = endsKeys ? api.call({ url: `/v1/jobs/${jobId}?wait=25` }, secret) : undefined
    await expect.poll(count).toBe(poll ? 2 : 1)
    const began = performance.now()
    await end(owner, oauth)
    expect((await stream).text).toContain('invalid_api_key')
    if (poll) expect(codeOf(await poll)).toBe('invalid_api_key')
    expect(performance.now() - began).toBeLessThan(10_000)
    await expect.poll(count).toBe(0)
  })
})
