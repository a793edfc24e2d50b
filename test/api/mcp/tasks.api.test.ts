import { describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/keys.ts'
import { markRunning, recordDraft } from '../../../src/jobs/job-changes.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { settleRun } from '../../../src/jobs/start-and-end.ts'
import { codeOf, mediaUrl, startApi, useApi } from '../api.ts'
import { createAgent, type ProtocolVersion } from './agent.ts'
import { createTaskClient, extensions } from './task-client.ts'

const api = await useApi()
const account = await api.newAccount()

const declaring = { _meta: { 'io.modelcontextprotocol/clientCapabilities': { extensions } } }
const job = { name: 'svc.create_job', arguments: { endpoint: 'audio/detect-silence', media_url: mediaUrl } }
const chain = { workflow_id: 'remove-dead-space', media_url: mediaUrl, media_seconds: 60, mode: 'run_all' }

const clientOf = (token?: string) => createTaskClient(api, token)

/** A new job of the account, with another window each time. */
let starts = 0
const newJob = () => ({ ...job, arguments: { ...job.arguments, start: starts++ } })

describe('a call that lasts, of a client that takes tasks', () => {
  it('begins a task that is its job, until its end, with the result of the call', async () => {
    const client = clientOf(account.token)
    const task = await client.start(newJob())
    expect(task).toMatchObject({ resultType: 'task', taskId: expect.stringMatching(/^job_/), status: 'working' })
    expect(task).toMatchObject({ ttlMs: null, pollIntervalMs: expect.any(Number), createdAt: expect.any(String) })
    expect((await account.get(`/v1/jobs/${task.taskId}`)).status).toBe(200)

    await markRunning(api.db, task.taskId)
    const message = expect.stringContaining('audio/detect-silence is running')
    expect(await client.get(task.taskId)).toMatchObject({
      ...{ resultType: 'complete', taskId: task.taskId, status: 'working', statusMessage: message },
    })
    const found = { media_seconds: 9, segments: [{ start: 1, end: 9, duration: 8 }] }
    await recordDraft(api.db, task.taskId, { result: found, files: [], billedMilliseconds: 0 })
    await settleJob(api.db, task.taskId)
    const { status, result } = await client.get(task.taskId)
    expect([status, result.resultType, result.structuredContent.job.result]).toEqual(['completed', 'complete', found])
    expect(result.content[0].text).toContain(`Job ${task.taskId} is completed`)
  })

  it('says while it lasts which settings were ignored', async () => {
    const asked = newJob()
    const task = await clientOf(account.token).start({
      ...asked,
      arguments: { ...asked.arguments, settings: { colour: 1 } },
    })
    expect(task).toMatchObject({
      resultType: 'task',
      statusMessage: expect.stringContaining('Unknown setting "colour"'),
    })
  })

  it('begins a task that is its run', async () => {
    const client = clientOf(account.token)
    const task = await client.start({ name: 'svc.create_workflow_job', arguments: chain })
    expect(task).toMatchObject({ resultType: 'task', taskId: expect.stringMatching(/^run_/), status: 'working' })
    expect(await client.get(task.taskId)).toMatchObject({ status: 'working', statusMessage: expect.any(String) })
    const failure = { code: 'no_audio_track', message: 'No audio.' } as const
    await settleRun(api.db, { runId: task.taskId, lastJobId: 'none', failure })
    expect(await client.get(task.taskId)).toMatchObject({
      ...{ status: 'completed', result: { isError: true, _meta: { error: { code: 'no_audio_track' } } } },
    })
  })

  it('is canceled, and says so', async () => {
    const client = clientOf(account.token)
    const { taskId } = await client.start(newJob())
    expect((await client.about('tasks/update', taskId, { inputResponses: { never: {} } })).result).toMatchObject({})
    expect((await client.about('tasks/cancel', taskId)).error).toBeUndefined()
    await settleJob(api.db, taskId, { code: 'canceled', message: 'Canceled.' })
    const task = await client.get(taskId)
    expect([task.status, task.result]).toEqual(['cancelled', undefined])
    expect((await client.about('tasks/cancel', taskId)).error).toBeUndefined()
  })

  it('is answered as before where nothing lasts: plans, lookups, refusals', async () => {
    const client = clientOf(account.token)
    const plan = await client.start({ name: 'svc.create_workflow_job', arguments: { ...chain, mode: 'plan' } })
    const refused = await client.start({ name: 'svc.create_job', arguments: { endpoint: 'audio/detect-silence' } })
    expect([plan.resultType, refused.resultType, refused.isError]).toEqual(['complete', 'complete', true])
  })
})

describe('a task', () => {
  it('is not found by other accounts, other keys of its account, and under wrong ids', async () => {
    const { taskId } = await clientOf(account.token).start(newJob())
    const other = await createKey(api.db, { accountId: account.accountId, name: 'other' })
    const connector = await createKey(api.db, { kind: 'con', accountId: account.accountId, name: 'assistant' })
    const stranger = await api.newAccount()
    const wrong = ['', 'job_', 'run_aaaaaaaaaaaaaaaaaaaaaaaa', 'job_aaaaaaaaaaaaaaaaaaaaaaaa', '../jobs']
    const tries = [
      ...[other.token, connector.token, stranger.token].map((token) => [token, taskId] as const),
      ...wrong.map((id) => [account.token, id] as const),
    ]
    for (const [token, id] of tries) {
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
        expect([method, id, (await clientOf(token).about(method, id)).error?.code]).toEqual([method, id, -32_602])
    }
    expect((await clientOf(account.token).get(taskId)).status).toBe('working')
  })

  it('needs a credential, and a client that declares the extension', async () => {
    const { taskId } = await clientOf(account.token).start(newJob())
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const agent = createAgent(api, account.token, '2026-07-28')
      const { error } = (await agent.send(method, { taskId })).body
      expect([error.code, error.data]).toEqual([-32_021, { requiredCapabilities: { extensions } }])
      const keyless = await createAgent(api, undefined, '2026-07-28').send(method, { taskId, ...declaring })
      expect([keyless.status, codeOf(keyless)]).toEqual([401, 'missing_api_key'])
    }
  })

  it('is not for clients that do not declare it, in any version', async () => {
    for (const version of ['2025-06-18', '2025-11-25', '2026-07-28'] satisfies ProtocolVersion[]) {
      const { result } = (await createAgent(api, account.token, version).send('tools/call', newJob())).body
      expect(result.structuredContent.job_id).toMatch(/^job_/)
      expect([result.taskId, result.resultType ?? 'complete']).toEqual([undefined, 'complete'])
    }
  })

  it('ends with its job', async () => {
    const client = clientOf(account.token)
    const { taskId } = await client.start(newJob())
    await settleJob(api.db, taskId, { code: 'no_audio_track', message: 'No audio.' })
    expect(await client.get(taskId)).toMatchObject({ status: 'completed', result: { isError: true } })
    const deletion = await api.call({ method: 'DELETE', url: `/v1/jobs/${taskId}` }, account.token)
    expect(deletion.status).toBeLessThan(300)
    expect((await client.about('tasks/get', taskId)).error.code).toBe(-32_602)
  })
})

it('the service says that it has tasks', async () => {
  const { result } = await clientOf().send('server/discover', {})
  expect(result.capabilities.extensions).toMatchObject(extensions)
})

it('a fault of ours tells a client that asks for its task no more than that, and cancels nothing', async () => {
  const broken = await startApi()
  const { token } = await broken.newAccount()
  const client = createTaskClient(broken, token)
  const { taskId } = await client.start(newJob())
  await broken.db.$executeRaw`ALTER TABLE outputs RENAME TO hidden_outputs`
  for (const method of ['tasks/get', 'tasks/cancel']) {
    const { error } = await client.about(method, taskId)
    expect(error).toEqual({
      code: -32_603,
      message: expect.stringMatching(/^server_error: Something failed on our side/),
    })
  }
  await broken.close()
})
