import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { resumeAccount } from '../../../src/accounts/suspension.ts'
import { checkLedger } from '../../../src/billing/check-ledger.ts'
import { stepJobId } from '../../../src/chains/step-request.ts'
import { acceptStep } from '../../../src/jobs/accept.ts'
import { findAdmissibleAccounts } from '../../../src/jobs/admission.ts'
import { startNextJobs } from '../../../src/jobs/start-and-end.ts'
import { suspend } from '../../accounts/owners.ts'
import { sameSlots } from '../../billing/jobs.ts'
import { untilFound } from '../../until-found.ts'
import { codeOf, mediaUrl, type TestAccount, useApi } from '../api.ts'
import { signedIn } from './sign-in/sign-in.ts'

const api = await useApi({ RUNNING_JOBS_PER_ACCOUNT: '1' })
// While this file was loaded, the event loop was late.
await untilFound(async () => (await api.call({ url: '/health' })).body.new_work.ok)

const refused = [403, 'account_suspended']
const outcomeOf = (answer: Awaited<ReturnType<TestAccount['post']>>) =>
  answer.status < 400 ? answer.status : [answer.status, codeOf(answer)]
const job = { endpoint: 'audio/detect-silence', media_url: mediaUrl }
const run = { mode: 'run_all', media_url: mediaUrl, media_seconds: 60 }

describe('a suspended account', () => {
  it('creates no job, run, upload, estimate of media or key, by key or by tool', async () => {
    const account = await api.newAccount()
    await suspend(api, account.accountId)
    const answers = [
      await account.post('/v1/jobs', job),
      await account.post('/v1/audio/detect-silence', { media_url: mediaUrl }),
      await account.post('/v1/workflows/remove-dead-space/runs', run),
      await account.post('/v1/uploads/presign', { filename: 'a.wav' }),
      await account.post('/v1/estimate', job),
      await account.post('/v1/keys', { name: 'next' }),
    ]
    expect(answers.map(outcomeOf)).toEqual(answers.map(() => refused))
    const call = { name: 'svc.create_job', arguments: job }
    const tool = await account.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
    expect(tool.text).toContain('account_suspended')
    expect(await api.db.job.count({ where: { accountId: account.accountId } })).toBe(0)
    expect(await checkLedger(api.db)).toEqual([])
  })

  it('reads, cancels and revokes', async () => {
    const account = await api.newAccount()
    const jobId = await account.create()
    await suspend(api, account.accountId)
    const answers = [
      await account.get('/v1/jobs'),
      await account.get(`/v1/jobs/${jobId}`),
      await account.get('/v1/usage'),
      await account.get('/v1/account/limits'),
      await account.post(`/v1/jobs/${jobId}/cancel`),
      await account.post(`/v1/keys/${account.keyId}/revoke`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 202, 200])
  })

  it('sends no bytes to an upload_url that it got before', async () => {
    const account = await api.newAccount()
    const { upload } = (await account.post('/v1/uploads/presign', { filename: 'a.wav' })).body
    await suspend(api, account.accountId)
    const { pathname, search } = new URL(upload.upload_url)
    const put = await fetch(`http://127.0.0.1:${await api.listen()}${pathname}${search}`, {
      method: 'PUT',
      body: Buffer.from('bytes'),
    })
    expect([put.status, await put.text()]).toEqual([403, expect.stringContaining('account_suspended')])
  })

  it('is refused by session too, and its owner can still sign in', async () => {
    const owner = await signedIn(api)
    await suspend(api, owner.accountId)
    const made = await owner.post('/v1/keys', { name: 'next' })
    expect([made.status, codeOf(made)]).toEqual(refused)
    expect((await owner.signIn(owner.email)).status).toBe(200)
    expect((await owner.get('/v1/keys')).status).toBe(200)
  })

  it('has a repeated request answered with its earlier job', async () => {
    const account = await api.newAccount()
    const headers = { 'idempotency-key': 'once' }
    const { body } = await account.post('/v1/jobs', job, headers)
    await suspend(api, account.accountId)
    const again = await account.post('/v1/jobs', job, headers)
    expect([again.status, again.body.job_id]).toEqual([202, body.job_id])
  })

  it('begins no further step of a run', async () => {
    const account = await api.newAccount()
    const { body } = await account.post('/v1/workflows/remove-dead-space/runs', run)
    await suspend(api, account.accountId)
    const step = acceptStep(api.db, body.run.id, {
      ...{ jobId: stepJobId(body.run.id, 1), endpoint: 'timeline/suggest-ranges', settings: {}, reference: null },
      ...{
        rateMicroUsdPerMinute: 0n,
        maxPriceMicroUsd: 0n,
        window: { startSeconds: null, endSeconds: null },
        warnings: [],
      },
    })
    await expect(step).rejects.toMatchObject({ code: 'account_suspended', retryable: false })
  })

  it('has waiting jobs wait until it is resumed', async () => {
    const account = await api.newAccount()
    const [running, waiting] = [await account.create(), await account.create({ end: 5 })]
    await api.db.job.update({ where: { id: running }, data: { endedAt: new Date(), status: 'failed' } })
    await suspend(api, account.accountId)
    const slotLimits = sameSlots(1)
    const deps = { db: api.db, jobs: api.jobs, logger: pino({ level: 'silent' }), slotLimits }
    const admissible = () => findAdmissibleAccounts(api.db, slotLimits, { limit: 1000 })
    expect(await startNextJobs(deps, account.accountId)).toBe(0)
    expect(await admissible()).not.toContain(account.accountId)
    await resumeAccount(api.db, account.accountId)
    expect(await admissible()).toContain(account.accountId)
    expect(await startNextJobs(deps, account.accountId)).toBe(1)
    expect(await api.db.job.findUniqueOrThrow({ where: { id: waiting } })).toMatchObject({
      admittedAt: expect.any(Date),
    })
  })
})

it('a suspended account works again once it is resumed', async () => {
  const account = await api.newAccount()
  await suspend(api, account.accountId)
  await resumeAccount(api.db, account.accountId)
  expect(outcomeOf(await account.post('/v1/jobs', job))).toBe(202)
})
