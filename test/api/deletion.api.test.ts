import { describe, expect, it } from 'vitest'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { newId } from '../../src/core/ids.ts'
import { lockAccount } from '../../src/db/database.ts'
import { markRunning, recordDraft } from '../../src/jobs/job-changes.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { linkIn, mailsTo, openPage, password, signedIn } from './account/sign-in/sign-in.ts'
import { type Answer, codeOf, type TestAccount, useApi } from './api.ts'
import { presentDraft } from './jobs/drafts.ts'

const api = await useApi({ SIGN_IN_TRIES_PER_ADDRESS: '1000000' })

type Person = Awaited<ReturnType<typeof signedIn>>

const remove = ({ token }: Pick<TestAccount, 'token'>, url: string): Promise<Answer> =>
  api.call({ method: 'DELETE', url }, token)
const pathOf = (url: unknown) => String(url).replace(/^https?:\/\/[^/]+/, '')
const open = (url: unknown) => api.call({ method: 'GET', url: pathOf(url) })

/** The entries of a job that end its hold. */
const ends = async (jobId: string) =>
  (await api.db.ledgerEntry.findMany({ where: { endsHoldOf: jobId } })).map(({ kind }) => kind)

async function completed(account: TestAccount): Promise<{ id: string; output: string }> {
  const { id, result } = await presentDraft(api, account)
  return { id, output: result.output_url }
}

/** PUTs need a real connection. */
async function putTo(url: unknown, headers: Record<string, string>, body: string | ReadableStream): Promise<number> {
  const address = `http://127.0.0.1:${await api.listen()}${pathOf(url)}`
  return (await fetch(address, { method: 'PUT', headers, body, duplex: 'half' })).status
}

async function presign(account: TestAccount) {
  const { body } = await account.post('/v1/uploads/presign', { filename: 'talk.mp4' })
  const { id, upload_url, upload_headers, media_url } = body.upload
  const put = (bytes: string | ReadableStream) => putTo(upload_url, upload_headers, bytes)
  return { id: String(id), media: String(media_url), put }
}

describe('DELETE /v1/jobs', () => {
  it('removes a completed job with its files: every read is 404, the charge stays', async () => {
    const account = await api.newAccount()
    const { id, output } = await completed(account)
    expect((await open(output)).status).toBe(200)
    const usage = (await account.get('/v1/usage')).body
    const deleted = await remove(account, `/v1/jobs/${id}`)
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { request_id: deleted.headers['x-request-id'], id, status: 'deleted' },
    ])

    expect((await open(output)).status).toBe(404)
    for (const answer of [
      await account.get(`/v1/jobs/${id}`),
      await account.post(`/v1/jobs/${id}/cancel`),
      await account.post(`/v1/jobs/${id}/outputs/refresh`),
      await account.post('/v1/jobs', { endpoint: 'audio/detect-silence', media_url: output }),
      await remove(account, `/v1/jobs/${id}`),
    ]) {
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
    }
    expect((await account.get('/v1/jobs')).body.jobs).toEqual([])
    expect({ ...(await account.get('/v1/usage')).body, request_id: '' }).toEqual({ ...usage, request_id: '' })
    expect(await ends(id)).toEqual(['capture'])
  })

  it('cancels an open job, releases its hold and wakes those who wait for it', async () => {
    const account = await api.newAccount()
    const id = await account.create()
    const waiting = account.get(`/v1/jobs/${id}?wait=20`)
    await expect.poll(() => api.waits.has(id)).toBe(true)
    const deleted = await remove(account, `/v1/jobs/${id}`)
    expect([200, 202]).toContain(deleted.status)
    expect((await waiting).status).toBe(404)
    await settleJob(api.db, id)
    expect(await ends(id)).toEqual(['release'])
  })

  it('forgets its Idempotency-Key', async () => {
    const account = await api.newAccount()
    const body = { endpoint: 'audio/detect-silence', media_url: 'https://media.example/interview.mp4' }
    const key = { 'idempotency-key': newId('req') }
    const { job_id: id } = (await account.post('/v1/jobs', body, key)).body
    await remove(account, `/v1/jobs/${id}`)
    const again = await account.post('/v1/jobs', body, key)
    expect(again.status).toBe(202)
    expect(again.body.job_id).not.toBe(id)
  })

  it('is 404 for jobs of other accounts, outside the scope of the key, and for ids of another form', async () => {
    const [account, other] = [await api.newAccount(), await api.newAccount()]
    const { id } = await completed(account)
    expect((await remove(other, `/v1/jobs/${id}`)).status).toBe(404)
    const { secret } = (await account.post('/v1/keys', { name: 'audio', scope: 'audio/*' })).body
    expect((await remove({ token: secret }, `/v1/jobs/${id}`)).status).toBe(404)
    expect((await remove(account, '/v1/jobs/job_..%2f')).status).toBe(404)
    expect((await account.get(`/v1/jobs/${id}`)).status).toBe(200)
  })

  it('is refused while another open job reads its output', async () => {
    const account = await api.newAccount()
    const { id, output } = await completed(account)
    const reader = await account.create({ media_url: output })
    const refused = await remove(account, `/v1/jobs/${id}`)
    expect([refused.status, codeOf(refused), refused.body.error.job_id]).toEqual([409, 'conflict', reader])
    await account.post(`/v1/jobs/${reader}/cancel`)
    await settleJob(api.db, reader, { code: 'canceled', message: 'Canceled.' })
    expect((await remove(account, `/v1/jobs/${id}`)).status).toBe(200)
  })

  it('of two simultaneous requests, one deletes it', async () => {
    const account = await api.newAccount()
    const { id } = await completed(account)
    const answers = await Promise.all([1, 2, 3].map(() => remove(account, `/v1/jobs/${id}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  })

  it('beside its end: it is captured or released, never both', async () => {
    const account = await api.newAccount()
    for (let round = 0; round < 6; round += 1) {
      const id = await account.create({ endpoint: 'video/clip-window', start: 1, end: 3 })
      await markRunning(api.db, id)
      await recordDraft(api.db, id, { result: { media_seconds: 3 }, files: [], billedMilliseconds: 2_000 })
      const [{ status }] = await Promise.all([remove(account, `/v1/jobs/${id}`), settleJob(api.db, id)])
      expect([200, 202]).toContain(status)
      expect(await ends(id)).toHaveLength(1)
      expect((await account.get(`/v1/jobs/${id}`)).status).toBe(404)
    }
    expect(await checkLedger(api.db)).toEqual([])
  })
})

describe('DELETE /v1/workflow-runs', () => {
  const start = async (account: TestAccount, fields: object = {}) => {
    const body = { mode: 'run_all', media_url: 'https://media.example/interview.mp4', media_seconds: 60, ...fields }
    const { run } = (await account.post('/v1/workflows/remove-dead-space/runs', body)).body
    return { runId: String(run.id), jobId: String(run.steps[0].job_id) }
  }

  it('removes the run with its jobs; a step alone is refused', async () => {
    const account = await api.newAccount()
    const { runId, jobId } = await start(account)
    const refused = await remove(account, `/v1/jobs/${jobId}`)
    expect([refused.status, codeOf(refused)]).toEqual([409, 'conflict'])
    expect(refused.body.error.message).toContain(runId)

    expect([200, 202]).toContain((await remove(account, `/v1/workflow-runs/${runId}`)).status)
    for (const url of [`/v1/workflow-runs/${runId}`, `/v1/jobs/${jobId}`])
      expect((await account.get(url)).status).toBe(404)
    expect((await account.get('/v1/workflow-runs')).body.runs).toEqual([])
    expect((await remove(account, `/v1/workflow-runs/${runId}`)).status).toBe(404)
    await settleJob(api.db, jobId)
    expect(await ends(jobId)).toEqual(['release'])
  })

  it('ends one that waits for its slot', async () => {
    const account = await api.newAccount()
    const slots = Array.from({ length: api.config.RUNNING_JOBS_PER_ACCOUNT }, () => account.create())
    await Promise.all(slots)
    const { runId } = await start(account)
    await remove(account, `/v1/workflow-runs/${runId}`)
    const { endedAt } = await api.db.workflowRun.findUniqueOrThrow({ where: { id: runId } })
    expect(endedAt).not.toBeNull()
  })

  it('keeps the uploads that it reads from being deleted', async () => {
    const account = await api.newAccount()
    const media = await account.upload()
    const { runId } = await start(account, { media_url: media })
    const refused = await remove(account, `/v1/uploads/${media.split('/').at(-1)}`)
    expect([refused.status, codeOf(refused)]).toEqual([409, 'conflict'])
    expect(refused.body.error.message).toContain(runId)
  })
})

describe('DELETE /v1/uploads', () => {
  it('removes the file: no job reads it, and its upload_url accepts nothing', async () => {
    const account = await api.newAccount()
    const { id, media, put } = await presign(account)
    expect(await put('bytes of the talk')).toBe(200)
    const [deleted, again] = [await remove(account, `/v1/uploads/${id}`), await remove(account, `/v1/uploads/${id}`)]
    expect([deleted.status, deleted.body.status, again.status]).toEqual([200, 'deleted', 404])
    const create = await account.post('/v1/jobs', { endpoint: 'audio/detect-silence', media_url: media })
    expect([create.status, codeOf(create)]).toEqual([404, 'not_found'])
    expect(create.body.error.message).toContain('or it was deleted')
    expect(await put('other bytes')).toBe(404)
    const { objectKey, fileName } = await api.db.upload.findUniqueOrThrow({ where: { id } })
    expect([(await api.storage.stat(objectKey))?.bytes, fileName]).toEqual([0, ''])
  })

  it('ends a PUT that is under way, whose bytes go nowhere', async () => {
    const account = await api.newAccount()
    const { id, put } = await presign(account)
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>()
    const sending = put(readable)
    const bytes = writable.getWriter()
    await bytes.write(new Uint8Array(1024))
    await expect.poll(async () => (await api.db.upload.findUniqueOrThrow({ where: { id } })).claimId).not.toBeNull()
    expect((await remove(account, `/v1/uploads/${id}`)).status).toBe(200)
    await bytes.write(new Uint8Array(1024))
    await bytes.close()
    expect(await sending).toBe(409)
    const { objectKey } = await api.db.upload.findUniqueOrThrow({ where: { id } })
    expect((await api.storage.stat(objectKey))?.bytes).toBe(0)
  })

  it('is refused while an open job reads it, and is 404 for other accounts', async () => {
    const [account, other] = [await api.newAccount(), await api.newAccount()]
    const media = await account.upload()
    const url = `/v1/uploads/${media.split('/').at(-1)}`
    const jobId = await account.create({ media_url: media })
    const refused = await remove(account, url)
    expect([refused.status, codeOf(refused), refused.body.error.job_id]).toEqual([409, 'conflict', jobId])
    expect((await remove(other, url)).status).toBe(404)
    expect((await remove(account, '/v1/uploads/upl_..')).status).toBe(404)
  })
})

describe('DELETE /v1/account', () => {
  const erase = (cookie: string | undefined, payload: object = { password }, headers: Record<string, string> = {}) =>
    api.call({
      method: 'DELETE',
      url: '/v1/account',
      payload,
      headers: { origin: new URL(api.config.BASE_URL).origin, ...(cookie ? { cookie } : {}), ...headers },
    })
  const keyOf = async (page: Awaited<ReturnType<typeof signedIn>>) =>
    String((await page.post('/v1/keys', { name: 'laptop' })).body.secret)

  it('needs the session of the owner and the password: no key can do it', async () => {
    const page = await signedIn(api)
    const token = await keyOf(page)
    const refusals = [
      await erase(undefined, { password }, { authorization: `Bearer ${token}` }),
      await erase(undefined),
      await erase(page.cookie(), { password: 'wrong password' }),
      await erase(page.cookie(), { password }, { origin: 'https://elsewhere.example' }),
      await erase(page.cookie(), {}),
      await erase(page.cookie(), { password, sure: true }),
    ]
    expect(refusals.map((answer) => [answer.status, codeOf(answer)])).toEqual([
      ...[
        [401, 'sign_in_required'],
        [401, 'sign_in_required'],
        [401, 'wrong_email_or_password'],
      ],
      ...[
        [403, 'csrf_failed'],
        [400, 'invalid_request'],
        [400, 'invalid_request'],
      ],
    ])
    expect((await page.get('/v1/account/notices')).status).toBe(200)
  })

  it('ends keys, sessions, mailed links and URLs, and an address that signs up again gets no second credits', async () => {
    const page = await signedIn(api)
    const token = await keyOf(page)
    const account = { ...(await api.newAccount()), token }
    const get = (url: string) => api.call({ method: 'GET', url }, token)
    const job = await api.call(
      {
        method: 'POST',
        url: '/v1/jobs',
        payload: { endpoint: 'audio/detect-silence', media_url: 'https://media.example/interview.mp4' },
      },
      token,
    )
    const { body } = await api.call(
      { method: 'POST', url: '/v1/uploads/presign', payload: { filename: 'talk.mp4' } },
      token,
    )
    const put = () => putTo(body.upload.upload_url, body.upload.upload_headers, 'talk')
    expect(await put()).toBe(200)
    await api.db.account.update({ where: { id: page.accountId }, data: { name: 'Anna' } })

    const deleted = await erase(page.cookie())
    expect([200, 202]).toContain(deleted.status)
    expect(deleted.body).toMatchObject({ id: page.accountId, unpaid_usd: 0 })
    const answers = [
      ...[
        await get('/v1/jobs'),
        await get(`/v1/jobs/${job.body.job_id}`),
        await remove(account, `/v1/jobs/${job.body.job_id}`),
      ],
      ...[await page.get('/v1/account/notices'), await page.get('/api/auth/get-session'), await erase(page.cookie())],
      await openPage(api).signIn(page.email),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
    expect(await put()).toBe(404)
    await mailsTo(api, page.email, 0)

    // Else the address gets its next mail in three minutes.
    await api.db.quotaWindow.deleteMany()
    const again = openPage(api)
    await again.signUp(page.email)
    const [mail] = await mailsTo(api, page.email)
    await again.verify(linkIn(mail).token)
    const signIn = await again.signIn(page.email)
    expect(signIn.status).toBe(200)
    expect(signIn.body.account_id).not.toBe(page.accountId)
    expect((await again.get('/v1/account/limits')).body.limits).toMatchObject({ credits_left_usd: 0 })
    expect(await checkLedger(api.db)).toEqual([])
  })

  it('is refused if the password changes between its check and the deletion, by a reset or the owner', async () => {
    const changes = {
      reset: async ({ email, post }: Person) => {
        await post('/api/auth/request-password-reset', { email })
        const { token } = linkIn((await mailsTo(api, email, 2))[1])
        return () => openPage(api).post('/api/auth/reset-password', { token, password: 'another horse battery' })
      },
      owner: async ({ email }: Person) => {
        const other = openPage(api)
        await other.signIn(email)
        return () => other.post('/api/auth/change-password', { password, new_password: 'another horse battery' })
      },
    }
    for (const prepare of Object.values(changes)) {
      const page = await signedIn(api)
      const change = await prepare(page)
      const { erasure } = await api.db.$transaction(
        async (tx) => {
          await lockAccount(tx, page.accountId)
          const erasure = erase(page.cookie())
          await expect.poll(isAccountWaiting).toBe(true)
          expect((await change()).status).toBe(200)
          return { erasure }
        },
        { timeout: 60_000 },
      )
      const answer = await erasure
      expect([answer.status, codeOf(answer)]).toEqual([401, 'wrong_email_or_password'])
      const signIn = await openPage(api).signIn(page.email, 'another horse battery')
      expect([signIn.status, signIn.body.account_id]).toEqual([200, page.accountId])
    }
  })

  it('of two simultaneous requests, both succeed or one comes too late', async () => {
    const page = await signedIn(api)
    const answers = await Promise.all([erase(page.cookie()), erase(page.cookie())])
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses[0]).toBe(200)
    expect([200, 202, 401]).toContain(statuses[1])
    expect(await api.db.user.count({ where: { email: page.email } })).toBe(0)
  })

  it('tells what was billed and is not paid, which stays in the ledger', async () => {
    const page = await signedIn(api)
    await api.db.account.update({ where: { id: page.accountId }, data: { billedMicroUsd: 1_250_000n } })
    expect((await erase(page.cookie())).body).toMatchObject({ status: 'deleted', unpaid_usd: 1.25 })
    expect(await api.db.account.findUnique({ where: { id: page.accountId } })).toMatchObject({
      billedMicroUsd: 1_250_000n,
    })
    await api.db.account.update({ where: { id: page.accountId }, data: { billedMicroUsd: 0n } })
  })
})

async function isAccountWaiting(): Promise<boolean> {
  const waiting = await api.db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE '%FROM accounts%FOR UPDATE%' AND datname = current_database()`
  return waiting.length > 0
}
