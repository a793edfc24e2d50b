import { afterAll, describe, expect, it } from 'vitest'
import { type ModelName, modelNames } from '../../../src/models/models.ts'
import { useApi } from '../api.ts'

/** Turns of the event loop so far. */
let turn = 0
let isCounting = true
const count = () => {
  turn += 1
  if (isCounting) setImmediate(count)
}

/** Notes the turns in which a plan looks for a model. */
class WatchedModels extends Set<ModelName> {
  readonly turns = new Set<number>()
  override has(name: ModelName): boolean {
    this.turns.add(turn)
    return super.has(name)
  }
}

const models = new WatchedModels(modelNames)
const api = await useApi({ RATE_LIMIT_PER_ADDRESS: '100' }, { models })
count()
afterAll(() => {
  isCounting = false
})

const size = 10
const goal = 'clip each time that she says the price in my podcast '.repeat(6).slice(0, 300)
const plans = Array.from({ length: size }, (_, id) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'svc.plan_integration', arguments: { goal } },
}))
const send = (remoteAddress: string) => api.call({ method: 'POST', url: '/mcp', payload: plans, remoteAddress })

describe('a batch of plans', () => {
  it.each([1, 3])('lets other work have its turn after each plan, with %i batches at once', async (batches) => {
    models.turns.clear()
    const answers = await Promise.all(Array.from({ length: batches }, () => send('203.0.113.40')))
    expect(models.turns.size).toBe(batches * size)
    for (const { status, body } of answers) {
      expect([status, body.map(({ id }: { id: number }) => id)]).toEqual([200, plans.map(({ id }) => id)])
      for (const { result } of body) expect(result.structuredContent.workflow.id).toBe('find-exact-words')
    }
  })

  it('counts as a request for each plan', async () => {
    const statuses = []
    for (let sent = 0; sent < 11; sent += 1) statuses.push((await send('203.0.113.41')).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})
