import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../scripts/client.ts'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { changeLimits } from '../../src/billing/limits.ts'
import type { MicroUsd } from '../../src/core/money.ts'
import { fixture } from '../fixtures/make.ts'
import { type Service, startService } from './service.ts'

const refusal = z.object({ error: z.object({ code: z.string() }) })

let service: Service
let addresses: string[]

beforeAll(async () => {
  service = await startService({}, { worker: false })
  addresses = [service.baseUrl, ...(await Promise.all([1, 2, 3].map(() => service.startApi())))]
})

afterAll(() => service.stop())

/** `count` simultaneous creates of one account, over all APIs; returns the number of each response. */
async function createAtOnce(token: string, count: number, body: object): Promise<Record<string, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const client = createClient(addresses[index % addresses.length] ?? '', token)
      const { status, body: answer } = await client.send('POST', '/v1/jobs', body)
      return status === 202 ? '202' : `${status} ${refusal.parse(answer).error.code}`
    }),
  )
  return Object.fromEntries(
    [...new Set(answers)].map((each) => [each, answers.filter((other) => other === each).length]),
  )
}

const setCap = (accountId: string, monthlyCapMicroUsd: MicroUsd) =>
  changeLimits(service.db, { accountId, monthlyCapMicroUsd, requestId: 'req_test' })

async function moneyOf(id: string) {
  const { months, ...account } = await service.db.account.findUniqueOrThrow({
    where: { id },
    include: { months: true },
  })
  const [month] = months
  return {
    credit: account.creditMicroUsd,
    held: account.heldMicroUsd,
    heldCredit: month?.heldCreditMicroUsd,
    heldBillable: month?.heldBillableMicroUsd,
  }
}

/** A clip whose length, and so whose price, is known: 0.01 USD a minute. */
const clipOf = (minutes: number) => ({
  endpoint: 'video/clip-window',
  media_url: 'https://media.example/film.mp4',
  start: 0,
  end: minutes * 60,
})

// First, and with the only worker: the jobs below stay accepted.
it('creates with media of unknown length are accepted by provisional holds, and captures never exceed the credits', async () => {
  const { accountId, token, client } = await service.newAccount()
  // Six provisional holds of 0.02 USD, and one raise to the media's price, 0.03 USD.
  await setCap(accountId, 130_000n)
  const media_url = await client.upload(await fixture('quarter-hour.m4a'))
  const accepted = await createAtOnce(token, 40, { endpoint: 'audio/detect-silence', media_url })
  expect(accepted).toEqual({ 202: 6, '402 spend_cap_reached': 34 })

  await service.startWorker()
  const jobs = await service.db.job.findMany({ where: { accountId } })
  const ended = await Promise.all(jobs.map(({ id }) => client.ended(id)))
  await service.stopWorkers()
  const ends = ended.map(({ status, error }) => error?.code ?? status)
  const completed = ends.filter((end) => end === 'completed').length
  expect(new Set(ends)).toEqual(new Set(['completed', 'spend_cap_reached']))
  expect(completed).toBeLessThanOrEqual(4)
  const [month] = await service.db.accountMonth.findMany({ where: { accountId } })
  expect(month).toMatchObject({ capturedCreditMicroUsd: BigInt(completed) * 30_000n, heldCreditMicroUsd: 0n })
  expect(await checkLedger(service.db)).toEqual([])
})

describe('200 simultaneous creates from four API processes', () => {
  it('with media of known length: exactly the ten that the credits cover are accepted', async () => {
    const { accountId, token } = await service.newAccount()
    expect(await createAtOnce(token, 200, clipOf(50))).toEqual({ 202: 10, '402 billing_required': 190 })
    expect(await moneyOf(accountId)).toEqual({
      credit: 0n,
      held: 5_000_000n,
      heldCredit: 5_000_000n,
      heldBillable: 0n,
    })
    expect(await service.db.job.count({ where: { accountId } })).toBe(10)
    expect(await checkLedger(service.db)).toEqual([])
  })

  it('the cap accepts exactly the ten that fit, credits and billed money together', async () => {
    const { accountId, token } = await service.newAccount()
    await activateBilling(service.db, accountId)
    await setCap(accountId, 7_000_000n)
    expect(await createAtOnce(token, 200, clipOf(70))).toEqual({ 202: 10, '402 spend_cap_reached': 190 })
    expect(await moneyOf(accountId)).toEqual({
      credit: 0n,
      held: 7_000_000n,
      heldCredit: 5_000_000n,
      heldBillable: 2_000_000n,
    })
    expect(await checkLedger(service.db)).toEqual([])
  })
})
