import { describe, expect, it } from 'vitest'
import { repairRules } from '../../../activities/upkeep/repair.ts'
import { createKey } from '../../../src/accounts/keys.ts'
import { checkLedger } from '../../../src/billing/check-ledger.ts'
import { useDependencies } from '../../activities/use-dependencies.ts'
import { mediaUrl, useApi } from '../api.ts'
import { createTaskClient } from './task-client.ts'

const steps = await useDependencies()

const api = await useApi({ WAITING_JOBS_PER_ACCOUNT: '3' })
const account = await api.newAccount()

const chain = { workflow_id: 'remove-dead-space', media_url: mediaUrl, media_seconds: 60, mode: 'run_all' }
const planned = (more: object = {}) => ({ name: 'svc.create_workflow_job', arguments: { ...chain, ...more } })

const clientOf = (token = account.token, elicitation: object = {}) => createTaskClient(api, token, { elicitation })

const runOf = (id: string) => api.db.workflowRun.findUniqueOrThrow({ where: { id }, include: { jobs: true } })

describe('a run without max_price_usd, of a client that takes tasks and asks its user', () => {
  it('waits for consent to its price, and holds nothing before', async () => {
    const owner = await api.newAccount()
    const client = clientOf(owner.token)
    const task = await client.start(planned())
    const message = 'Run remove-dead-space on "interview.mp4", 60 seconds of media, for at most 0.012 USD?'
    expect(task).toMatchObject({ resultType: 'task', status: 'input_required', statusMessage: message })
    expect(await client.get(task.taskId)).toMatchObject({
      status: 'input_required',
      inputRequests: {
        price: {
          method: 'elicitation/create',
          params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
        },
      },
    })
    expect((await runOf(task.taskId)).jobs).toEqual([])
    expect(await api.db.ledgerEntry.count({ where: { accountId: owner.accountId, kind: 'hold' } })).toBe(0)
    const { run } = (await owner.get(`/v1/workflow-runs/${task.taskId}`)).body
    expect([run.status, run.status_detail]).toEqual(['queued', 'awaiting_consent'])
  })

  it('begins once its user agrees, once', async () => {
    const client = clientOf((await api.newAccount()).token)
    const { taskId } = await client.start(planned())
    const agreed = { price: { action: 'accept', content: {} } }
    for (const answer of await Promise.all([client.answer(taskId, agreed), client.answer(taskId, agreed)]))
      expect(answer).toMatchObject({ result: { resultType: 'complete' } })
    expect((await runOf(taskId)).jobs).toMatchObject([{ endpoint: 'audio/detect-silence', status: 'queued' }])
    const { status, inputRequests } = await client.get(taskId)
    expect([status, inputRequests]).toEqual(['working', undefined])
    expect((await client.answer(taskId, { price: { action: 'decline' } })).error).toBeUndefined()
    expect((await client.get(taskId)).status).toBe('working')
  })

  it.each(['decline', 'cancel'])('ends canceled, at no cost, if its user answers %s', async (action) => {
    const client = clientOf((await api.newAccount()).token)
    const { taskId } = await client.start(planned())
    expect((await client.answer(taskId, { price: { action } })).error).toBeUndefined()
    expect((await client.get(taskId)).status).toBe('cancelled')
    await client.answer(taskId, { price: { action: 'accept' } })
    const { jobs, endedAt } = await runOf(taskId)
    expect([jobs, endedAt]).toEqual([[], expect.any(Date)])
    expect(await checkLedger(api.db)).toEqual([])
  })

  it('waits on after answers that are none, and is canceled like every task', async () => {
    const client = clientOf((await api.newAccount()).token)
    const { taskId } = await client.start(planned())
    for (const none of [{}, { other: { action: 'accept' } }, { price: true }])
      expect((await client.answer(taskId, none)).error).toBeUndefined()
    expect((await client.answer(taskId, { price: { action: 'yes' } })).error.code).toBe(-32_602)
    expect((await client.get(taskId)).status).toBe('input_required')
    await client.about('tasks/cancel', taskId)
    expect((await client.get(taskId)).status).toBe('cancelled')
  })

  it('is not found by other credentials, which can neither agree nor decline', async () => {
    const { taskId } = await clientOf().start(planned())
    const connector = await createKey(api.db, { kind: 'con', accountId: account.accountId, name: 'assistant' })
    for (const { token } of [connector, await api.newAccount()]) {
      for (const action of ['accept', 'decline'])
        expect((await clientOf(token).answer(taskId, { price: { action } })).error.code).toBe(-32_602)
    }
    expect((await clientOf().get(taskId)).status).toBe('input_required')
  })

  it('is the same task for a repeated call', async () => {
    const client = clientOf((await api.newAccount()).token)
    const first = await client.start(planned({ idempotency_key: 'once' }))
    const second = await client.start(planned({ idempotency_key: 'once' }))
    expect([second.taskId, second.status]).toEqual([first.taskId, 'input_required'])
  })

  it('waits for a day, and is bounded in number, of one key and those that it made before those of its account', async () => {
    const { token, accountId, keyId: makerId } = await api.newAccount()
    const made = clientOf((await createKey(api.db, { accountId, name: 'made', makerId })).token)
    const [client, other] = [clientOf(token), clientOf((await api.accountOf(accountId)).token)]
    const waiting = [await client.start(planned()), await client.start(planned())]
    const refusal = async (of: typeof client) => {
      const { isError, content } = await of.start(planned())
      return [isError, content[0].text]
    }
    for (const each of [client, made])
      expect(await refusal(each)).toEqual([true, expect.stringMatching(/^rate_limited: This key has 2 runs/)])
    expect(await other.start(planned())).toMatchObject({ status: 'input_required' })
    expect(await refusal(other)).toEqual([true, expect.stringMatching(/^rate_limited: This account has 3 waiting/)])
    const [young, old] = waiting.map(({ taskId }) => taskId)
    const dayAgo = new Date(Date.now() - 25 * 3_600_000)
    const age = (id: string, data: object) => api.db.workflowRun.update({ where: { id }, data })
    await age(young, { createdAt: dayAgo })
    await age(old, { createdAt: dayAgo, consentAskedAt: dayAgo })
    const pass = { logger: steps.logger, signal: AbortSignal.timeout(60_000) }
    await repairRules.endAbandonedRuns.repair({ ...steps, db: api.db }, pass)
    expect([(await client.get(young)).status, (await client.get(old)).status]).toEqual(['input_required', 'cancelled'])
    expect(await api.db.job.count({ where: { accountId } })).toBe(0)
  })

  it('goes on if its user agrees while upkeep is about to end it', async () => {
    const client = clientOf((await api.newAccount()).token)
    const { taskId } = await client.start(planned())
    const dayAgo = new Date(Date.now() - 25 * 3_600_000)
    await api.db.workflowRun.update({ where: { id: taskId }, data: { createdAt: dayAgo, consentAskedAt: dayAgo } })
    const isOpen = async (id: string) => {
      if (id === taskId) await client.answer(taskId, { price: { action: 'accept', content: {} } })
      return false
    }
    const pass = { logger: steps.logger, signal: AbortSignal.timeout(60_000) }
    await repairRules.endAbandonedRuns.repair({ ...steps, db: api.db, jobs: { ...steps.jobs, isOpen } }, pass)
    const { jobs, endedAt } = await runOf(taskId)
    expect([jobs.length, endedAt]).toEqual([1, null])
  })
})

it.each([
  ['that names its limit', { max_price_usd: 1 }, {}],
  ['of a client that asks by links alone', {}, { url: {} }],
])('a run %s begins at once', async (_, more, elicitation) => {
  const client = clientOf((await api.newAccount()).token, elicitation)
  const { taskId, status } = await client.start(planned(more))
  expect([status, (await runOf(taskId)).jobs.length]).toEqual(['working', 1])
})
