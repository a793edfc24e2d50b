import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTaskClient } from '../api/mcp/task-client.ts'
import { speech } from '../fixtures/make.ts'
import { holdGates } from './gates.ts'
import { type FaultStack, startFaultStack, targets } from './stack.ts'
import { until } from './until.ts'

describe.skipIf(process.platform !== 'linux')('a task of an agent', () => {
  let stack: FaultStack
  beforeAll(async () => {
    stack = await startFaultStack()
  })
  afterAll(() => stack.stop())

  /** Sends what `createAgent` sends to the API of a test. */
  const call: Parameters<typeof createTaskClient>[0]['call'] = async ({ payload, headers }, token = '') => {
    const sent = { ...headers, authorization: `Bearer ${token}` }
    const response = await fetch(`${stack.apiUrl}/mcp`, {
      ...{ method: 'POST', headers: new Headers(JSON.parse(JSON.stringify(sent))), body: JSON.stringify(payload) },
    })
    const text = await response.text()
    return { status: response.status, headers: {}, text, body: JSON.parse(text) }
  }

  const killAll = () => Promise.all(targets.map((target) => stack.kill(target)))
  async function startAll(): Promise<void> {
    await Promise.all([stack.start('postgres'), stack.start('temporal')])
    await Promise.all([stack.start('api'), stack.start('worker')])
  }

  it('waits for consent, works and is completed, although everything was killed meanwhile', async () => {
    const { accountId, client, token } = await stack.newAccount()
    const media_url = await client.upload(speech)
    const agent = createTaskClient({ call }, token, { elicitation: {} })
    const { taskId, status } = await agent.start({
      name: 'svc.create_workflow_job',
      arguments: { workflow_id: 'remove-dead-space', media_url, mode: 'run_all' },
    })
    expect(status).toBe('input_required')
    await killAll()
    await startAll()
    expect((await agent.get(taskId)).status).toBe('input_required')

    const gates = await holdGates(stack.databaseUrl, [{ accountId, step: 'finish' }])
    await agent.answer(taskId, { price: { action: 'accept' } })
    await until('the first job stands at its end', gates.areReached, 60)
    await killAll()
    await gates.release()
    await startAll()
    await until('the task is completed', async () => (await agent.get(taskId)).status === 'completed', 120)
    const { result } = await agent.get(taskId)
    expect([result.isError, result.structuredContent.run.status]).toEqual([undefined, 'completed'])
    expect(await stack.db.job.count({ where: { accountId } })).toBe(3)
  }, 300_000)
})
