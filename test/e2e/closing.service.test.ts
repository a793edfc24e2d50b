import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { writeOperatorEntry } from '../../src/billing/payments.ts'
import { newId } from '../../src/core/ids.ts'
import { monthBefore } from '../../src/core/money.ts'
import { workflowTaskQueue } from '../../src/temporal/names.ts'
import { closeMonthScheduleId } from '../../src/temporal/setup-temporal.ts'
import { type FakeStripe, signatureOf, startFakeStripe, webhookSecret } from '../billing/stripe/fake-stripe.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { type Service, startService } from './service.ts'

let fake: FakeStripe
let service: Service
let connection: Connection
beforeAll(async () => {
  fake = await startFakeStripe()
  const variables = {
    ...{ BILLING: 'stripe', STRIPE_API_ENDPOINT: fake.endpoint },
    ...{ STRIPE_SECRET_KEY: 'sk_test_closing', STRIPE_WEBHOOK_SECRET: webhookSecret },
  }
  service = await startService(variables, { worker: false })
  connection = await Connection.connect({ address: temporalAddress })
})
afterAll(async () => {
  await connection.close()
  await service.stop()
  await fake.close()
})

const accounts = 40
const amount = { credit: 0n, billable: 1_239_999n }

const customerOf = (accountId: string) => `cus_${accountId}`

async function openPayers(): Promise<string[]> {
  const ids = Array.from({ length: accounts }, () => newId('acct')).toSorted()
  await service.db.account.createMany({ data: ids.map((id) => ({ id, name: id })) })
  for (const accountId of ids) {
    await writeOperatorEntry(service.db, { accountId, kind: 'adjustment', amount, reason: 'usage' })
    fake.addCustomer(customerOf(accountId), accountId)
  }
  await service.db.billingCustomer.createMany({
    data: ids.map((accountId) => ({ accountId, customerId: customerOf(accountId) })),
  })
  return ids
}

it('a month that is closed while its worker is killed, and again by the schedule, makes one invoice an account', async () => {
  const ids = await openPayers()
  const client = new Client({ connection, namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '' })
  const doomed = await service.startWorker()
  fake.behaviour.beforeAnswer = async () => {
    const hasDraft = [...fake.invoices.values()].some(({ status }) => status === 'draft')
    if (fake.calls.length >= 70 && hasDraft) doomed.child.kill('SIGKILL')
  }
  const closing = await client.workflow.start('closeMonth', {
    taskQueue: workflowTaskQueue,
    workflowId: 'close-month-of-a-test',
    args: [{}],
  })
  await doomed.ended
  await service.startWorker()
  expect(await closing.result()).toEqual({ month: monthBefore(new Date()), rounds: 1 })

  const calls = fake.calls.length
  await client.schedule.getHandle(closeMonthScheduleId).trigger()
  await vi.waitFor(async () => {
    const { info } = await client.schedule.getHandle(closeMonthScheduleId).describe()
    expect([info.recentActions.length, info.runningActions.length]).toEqual([1, 0])
  }, 60_000)
  expect(fake.calls).toHaveLength(calls)

  const invoices = [...fake.invoices.values()]
  expect(new Set(invoices.map(({ customer }) => customer)).size).toBe(accounts)
  expect(invoices.map(({ id, status }) => [status, fake.itemsOf(id).map((item) => item.amount)])).toEqual(
    Array.from({ length: accounts }, () => ['open', [123]]),
  )

  for (const { id } of invoices) {
    const { payload } = fake.charge(id)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf(payload) }
    const send = () => fetch(`${service.baseUrl}/api/webhooks/stripe`, { method: 'POST', body: payload, headers })
    expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([200, 200])
  }
  const rows = await service.db.account.findMany({ where: { id: { in: ids } } })
  // The lines' remainder is less than a cent.
  expect(new Set(rows.map(({ billedMicroUsd }) => billedMicroUsd))).toEqual(new Set([9_999n]))
  expect(await checkLedger(service.db)).toEqual([])
})
