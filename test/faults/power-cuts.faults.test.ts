import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { speech } from '../fixtures/make.ts'
import { leftOver, untilEnded } from './aftermath.ts'
import { isLongForm } from './cases.ts'
import { type FaultStack, startFaultStack } from './stack.ts'
import { until } from './until.ts'

const cuts = isLongForm ? 6 : 2
const killSeconds = isLongForm ? 120 : 30
const betweenCutsSeconds = 8

describe.skipIf(process.platform !== 'linux')('under load, jobs and chains', () => {
  let stack: FaultStack
  beforeAll(async () => {
    stack = await startFaultStack()
  })
  afterAll(() => stack.stop())

  /** Keeps two accounts busy until it is stopped. Repeats each request with its key until it is accepted, as a careful client does. */
  async function startLoad() {
    const accounts = await Promise.all(
      [0, 1].map(async () => {
        const { accountId, client } = await stack.newAccount()
        return { accountId, client, media_url: await client.upload(speech) }
      }),
    )
    let isOver = false
    let accepted = 0
    const post = async (account: number, number: number) => {
      const { client, media_url } = accounts[account] ?? expect.fail('no such account')
      const start = number % 60
      const window = { media_url, start, end: start + 5 }
      const [route, body] =
        number % 10 === 9
          ? ['/v1/workflows/remove-dead-space/runs', { ...window, mode: 'run_all' }]
          : ['/v1/jobs', { ...window, endpoint: number % 2 === 0 ? 'video/clip-window' : 'audio/detect-silence' }]
      await until(
        'the request is accepted',
        async () => {
          const { status } = await client.send('POST', route, body, { 'idempotency-key': `load-${number}` })
          if (status === 200 || status === 202) return true
          throw new Error(`the request is refused with ${status}`)
        },
        // On a busy machine, a worker that is killed every ten seconds does little, and its queues fill.
        600,
      )
      accepted += 1
    }
    const keepPosting = async (account: number) => {
      for (let number = 0; !isOver; number += 1) await post(account, number)
    }
    const posting = Promise.all([keepPosting(0), keepPosting(1)])
    return {
      accountIds: accounts.map(({ accountId }) => accountId),
      stop: async () => {
        isOver = true
        await posting
        return accepted
      },
    }
  }

  async function assertAllCompleted(accountIds: readonly string[], accepted: number): Promise<void> {
    await untilEnded(stack, accountIds, 600)
    const where = { accountId: { in: [...accountIds] } }
    const failed = await stack.db.job.findMany({
      where: { ...where, status: { not: 'completed' } },
      select: { id: true, error: true },
    })
    expect(failed).toEqual([])
    const runs = await stack.db.workflowRun.findMany({ where, select: { id: true, error: true } })
    expect(runs.filter(({ error }) => error !== null)).toEqual([])
    expect((await stack.db.job.count({ where: { ...where, runId: null } })) + runs.length).toBe(accepted)
    expect(await checkLedger(stack.db)).toEqual([])
    expect(await leftOver(stack)).toEqual([])
  }

  it(`${cuts} power cuts of everything fail, lose and leave nothing`, async () => {
    const load = await startLoad()
    for (let cut = 0; cut < cuts; cut += 1) {
      await delay(betweenCutsSeconds * 1000)
      await Promise.all((['worker', 'api', 'temporal', 'postgres'] as const).map((target) => stack.kill(target)))
      await Promise.all([stack.start('postgres'), stack.start('temporal')])
      await Promise.all([stack.start('api'), stack.start('worker')])
    }
    await assertAllCompleted(load.accountIds, await load.stop())
  }, 1_200_000)

  it(`a worker that is killed every ten seconds for ${killSeconds} seconds fails no job`, async () => {
    const load = await startLoad()
    const end = performance.now() + killSeconds * 1000
    while (performance.now() < end) {
      await delay(10_000)
      await stack.killWorkerAlone()
      await stack.start('worker')
    }
    await assertAllCompleted(load.accountIds, await load.stop())
  }, 1_200_000)
})
