import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { closeAccounts } from '../../activities/close-accounts.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { writeOperatorEntry } from '../../src/billing/payments.ts'
import { newId } from '../../src/core/ids.ts'
import { randomFaults } from '../billing/stripe/fake-stripe.ts'
import { openStripeStage } from '../billing/stripe/stage.ts'

const { db, fake, provider } = await openStripeStage()
const deps = { db, billing: provider, logger: pino({ level: 'silent' }) }
const month = '2026-10'
const accounts = 1_000

/** Rounds of pages, as the workflow runs them. */
async function closeMonth(): Promise<number> {
  for (let rounds = 1; ; rounds += 1) {
    let failed = 0
    for (let afterId: string | null = ''; afterId !== null; ) {
      const input = { month, afterId }
      const page: Awaited<ReturnType<typeof closeAccounts>> = await new MockActivityEnvironment().run(() =>
        closeAccounts(deps, input),
      )
      failed += page.failed
      afterId = page.lastId
    }
    if (failed === 0) return rounds
  }
}

it('closes a thousand accounts in one run while Stripe answers 429 and 500 and loses answers: one invoice each', async () => {
  const ids = Array.from({ length: accounts }, () => newId('acct')).toSorted()
  await db.account.createMany({ data: ids.map((id) => ({ id, name: id })) })
  for (const [at, accountId] of ids.entries()) {
    const amount = { credit: 0n, billable: 500_000n + BigInt(at) * 7_919n }
    await writeOperatorEntry(db, { accountId, kind: 'adjustment', amount, reason: 'usage' })
    fake.addCustomer(`cus_${at}`, accountId)
  }
  await db.billingCustomer.createMany({ data: ids.map((accountId, at) => ({ accountId, customerId: `cus_${at}` })) })
  fake.behaviour.faultOf = randomFaults(7, 0.1, ['429', '500', 'kept500', 'lost', 'refused'])

  const startedAt = performance.now()
  const rounds = await closeMonth()
  const seconds = (performance.now() - startedAt) / 1000

  const invoices = [...fake.invoices.values()]
  expect(new Set(invoices.map(({ customer }) => customer)).size).toBe(accounts)
  expect(invoices.map(({ status }) => status)).toEqual(Array.from({ length: accounts }, () => 'open'))
  const cents = invoices.reduce((sum, { id }) => sum + fake.itemsOf(id).reduce((all, { amount }) => all + amount, 0), 0)
  const rows = await db.account.findMany({ where: { id: { in: ids } } })
  const whole = rows.reduce((sum, { billedMicroUsd }) => sum + billedMicroUsd / 10_000n, 0n)
  expect(BigInt(cents)).toBe(whole)
  expect(fake.open.most).toBeLessThanOrEqual(4)
  expect(await checkLedger(db)).toEqual([])

  const calls = fake.calls.length
  expect(await closeMonth()).toBe(1)
  expect(fake.calls).toHaveLength(calls)
  process.stderr.write(`closed ${accounts} accounts in ${seconds.toFixed(1)} s, ${rounds} rounds, ${calls} calls\n`)
}, 600_000)

it('does not call a month closed that a worker without a provider cannot close', async () => {
  const accountId = await createAccount(db, newId('acct'))
  const amount = { credit: 0n, billable: 500_000n }
  await writeOperatorEntry(db, { accountId, kind: 'adjustment', amount, reason: 'usage' })
  await db.billingCustomer.create({ data: { accountId, customerId: 'cus_unreached' } })
  const billing = { createLink: provider.createLink }
  const { lastId, failed }: Awaited<ReturnType<typeof closeAccounts>> = await new MockActivityEnvironment().run(() =>
    closeAccounts({ ...deps, billing }, { month: '2026-11', afterId: '' }),
  )
  expect(lastId).toBeNull()
  expect(failed).toBeGreaterThan(0)
})
