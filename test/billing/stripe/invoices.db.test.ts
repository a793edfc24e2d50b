import { describe, expect, it } from 'vitest'
import { checkLedger } from '../../../src/billing/check-ledger.ts'
import { findAccountsToInvoice } from '../../../src/billing/invoices/prepare-invoice.ts'
import { writeOperatorEntry } from '../../../src/billing/payments.ts'
import type { Fault } from './fake-stripe.ts'
import { openStripeStage } from './stage.ts'

const { db, fake, provider, deliver, accountOf, newPayer, use, billableUntil, invoicesOf } = await openStripeStage()
const month = '2026-10'
const close = (accountId: string, closed = month) => provider.closeAccount({ accountId, month: closed })
const rowOf = (accountId: string) => db.invoice.findFirstOrThrow({ where: { accountId } })

/** Six hours of clips: 3.60 USD. */
const sixHours = 21_600

describe('the invoice of a month', () => {
  it('charges what the ledger billed, rounded down to a cent, with the range of the ledger on each line', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    await use(accountId, 0.5, month)
    await use(accountId, sixHours, '2026-11')
    await close(accountId)
    const [only, ...more] = invoicesOf(customerId)
    expect(more).toEqual([])
    const billable = await billableUntil(accountId, month)
    expect([billable, only?.cents]).toEqual([3_600_084n, 360])
    expect(only?.invoice).toMatchObject({
      status: 'open',
      auto_advance: true,
      metadata: { account_id: accountId, month },
    })
    expect(fake.itemsOf(only?.invoice.id ?? '')).toMatchObject([
      {
        description: 'Usage of 2026-10 (UTC)',
        metadata: { ledger_month: month, ledger_from_micro_usd: '0', ledger_to_micro_usd: '3600084' },
      },
    ])
    expect(await rowOf(accountId)).toMatchObject({ status: 'open', amountCents: 360n })
  })

  it('is made once, however often and simultaneously the month is closed', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    await Promise.all(Array.from({ length: 5 }, () => close(accountId)))
    await close(accountId)
    expect(invoicesOf(customerId)).toHaveLength(1)
    expect([...fake.invoices.values()].filter(({ customer }) => customer === customerId)).toHaveLength(1)
    expect(invoicesOf(customerId)[0]?.cents).toBe(360)
  })

  it('is paid once, and the ledger has the payment; the remainder stays owed', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    await use(accountId, 0.5, month)
    await close(accountId)
    const paid = fake.charge(invoicesOf(customerId)[0]?.invoice.id ?? '')
    await Promise.all([deliver(paid), deliver(paid), deliver(paid)])
    await deliver(paid)
    await close(accountId)
    const payments = await db.ledgerEntry.findMany({ where: { accountId, kind: 'payment' } })
    expect(payments.map(({ billableMicroUsd }) => billableMicroUsd)).toEqual([3_600_000n])
    expect(await accountOf(accountId)).toMatchObject({ billedMicroUsd: 84n })
    expect(await rowOf(accountId)).toMatchObject({ status: 'paid', paidAt: expect.any(Date) })
    expect(await checkLedger(db)).toEqual([])
  })

  it('has what was captured late in the next one, with its range', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    await close(accountId)
    await use(accountId, sixHours, month)
    await use(accountId, sixHours, '2026-11')
    await close(accountId)
    await close(accountId, '2026-11')
    expect(invoicesOf(customerId).map(({ cents }) => cents)).toEqual([360, 720])
    expect(
      fake.itemsOf(invoicesOf(customerId)[1]?.invoice.id ?? '').map(({ amount, metadata }) => [amount, metadata]),
    ).toEqual([
      [
        360,
        expect.objectContaining({
          ledger_month: month,
          ledger_from_micro_usd: '3600000',
          ledger_to_micro_usd: '7200000',
        }),
      ],
      [360, expect.objectContaining({ ledger_month: '2026-11', ledger_from_micro_usd: '0' })],
    ])
  })

  it('that could not be sent in its month is sent before the next one', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    fake.behaviour.faultOf = ({ path }) => (path === '/v1/invoiceitems' ? '429' : undefined)
    await expect(close(accountId)).rejects.toMatchObject({ code: 'service_unavailable' })
    fake.behaviour.faultOf = () => undefined
    const next = { month: '2026-11', afterId: '', limit: 1_000 }
    expect(await findAccountsToInvoice(db, next)).toContain(accountId)
    await use(accountId, sixHours, '2026-11')
    await close(accountId, '2026-11')
    expect(invoicesOf(customerId).map(({ cents, invoice }) => [cents, invoice.status])).toEqual([
      [360, 'open'],
      [360, 'open'],
    ])
    const rows = await db.invoice.findMany({ where: { accountId }, orderBy: { month: 'asc' } })
    expect(rows.map((row) => [row.month, row.status])).toEqual([
      [month, 'open'],
      ['2026-11', 'open'],
    ])
    expect(await findAccountsToInvoice(db, next)).not.toContain(accountId)
  })

  it('has corrections by operators, and is not made below 0.50 USD', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    const correct = (billable: bigint) =>
      writeOperatorEntry(db, { accountId, kind: 'adjustment', amount: { credit: 0n, billable }, reason: 'a complaint' })
    await correct(-3_200_000n)
    await close(accountId)
    expect(invoicesOf(customerId)).toEqual([])
    await correct(100_000n)
    await close(accountId)
    expect(invoicesOf(customerId).map(({ cents }) => cents)).toEqual([50])
  })

  it('that was voided is owed again, and on the next one', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    await close(accountId)
    const { invoice } = invoicesOf(customerId)[0] ?? {}
    if (!invoice) throw new Error('no invoice')
    invoice.status = 'void'
    await deliver(fake.emit('invoice.voided', invoice))
    await use(accountId, sixHours, '2026-11')
    await close(accountId, '2026-11')
    expect(invoicesOf(customerId)[1]?.cents).toBe(720)
  })

  it('that a restored database does not have is not charged again, once it is corrected', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    await close(accountId)
    await db.invoice.delete({ where: { id: (await rowOf(accountId)).id } })
    const amount = { credit: 0n, billable: -3_600_000n }
    await writeOperatorEntry(db, { accountId, kind: 'adjustment', amount, reason: 'lost by the restore' })
    const { invoice } = invoicesOf(customerId)[0] ?? {}
    if (!invoice) throw new Error('no invoice')
    await deliver(fake.charge(invoice.id))
    await use(accountId, sixHours * 2, '2026-11')
    await close(accountId, '2026-11')
    expect(invoicesOf(customerId).map(({ cents }) => cents)).toEqual([360, 720])
    expect(await checkLedger(db)).toEqual([])
  })

  it('goes to the customer that the account has when it is sent', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    fake.behaviour.faultOf = ({ path }) => (path === '/v1/invoiceitems' ? '429' : undefined)
    await expect(close(accountId)).rejects.toMatchObject({ code: 'service_unavailable' })
    fake.behaviour.faultOf = () => undefined
    const customer = fake.customers.get(customerId)
    if (!customer) throw new Error('no customer')
    customer.deleted = true
    await deliver(fake.emit('customer.deleted', customer))
    const { url } = await provider.createLink(accountId)
    await deliver(fake.completeCheckout(url.split('/').at(-1) ?? ''))
    await close(accountId)
    const next = (await db.billingCustomer.findUniqueOrThrow({ where: { accountId } })).customerId ?? ''
    expect([invoicesOf(customerId).length, invoicesOf(next).map(({ cents }) => cents)]).toEqual([0, [360]])
  })

  it('is not made for an account without a customer', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    await db.billingCustomer.update({ where: { accountId }, data: { customerId: null } })
    await close(accountId)
    expect(await db.invoice.count({ where: { accountId } })).toBe(0)
    expect(invoicesOf(customerId)).toEqual([])
  })
})

describe('a month that is closed while Stripe fails', () => {
  const kinds: Fault[] = ['refused', 'lost', '429', '500', 'kept500']
  const cases = kinds.flatMap((kind) => Array.from({ length: 6 }, (_, at) => [kind, at] as const))

  it.each(cases)('%s from call %i on, and is closed again: one invoice', async (kind, at) => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    await use(accountId, sixHours, '2026-09')
    const first = fake.calls.length
    fake.behaviour.faultOf = () => (fake.calls.length - first > at ? kind : undefined)
    const outcome = await close(accountId).then(
      () => 'closed',
      (error: unknown) => error,
    )
    // Five calls without a failure: customer's invoices, draft, lines, two lines, finalization.
    if (at < 5) expect(outcome).toMatchObject({ code: 'service_unavailable' })
    fake.behaviour.faultOf = () => undefined
    await use(accountId, sixHours, month)
    await close(accountId)
    await close(accountId)
    expect(invoicesOf(customerId).map(({ cents }) => cents)).toEqual([720])
    expect(fake.itemsOf(invoicesOf(customerId)[0]?.invoice.id ?? '')).toHaveLength(2)
    expect(await rowOf(accountId)).toMatchObject({ status: 'open', amountCents: 720n })
  })

  it.each(kinds)('once at each call (%s) is closed by its own retries', async (kind) => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    const failed = new Set<string>()
    fake.behaviour.faultOf = ({ method, path }) => {
      if (failed.has(`${method} ${path}`) || failed.size > 3) return undefined
      failed.add(`${method} ${path}`)
      return kind
    }
    await close(accountId)
    fake.behaviour.faultOf = () => undefined
    expect(invoicesOf(customerId).map(({ cents }) => cents)).toEqual([360])
  })

  it('keeps the payment that arrived before our own record of the invoice', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    let isFinalized = false
    fake.behaviour.faultOf = ({ path }) => {
      if (isFinalized) return 'refused'
      isFinalized = path.endsWith('/finalize')
      return isFinalized ? 'lost' : undefined
    }
    await expect(close(accountId)).rejects.toMatchObject({ code: 'service_unavailable' })
    fake.behaviour.faultOf = () => undefined
    await deliver(fake.charge(invoicesOf(customerId)[0]?.invoice.id ?? ''))
    await close(accountId)
    expect(await rowOf(accountId)).toMatchObject({ status: 'paid' })
    expect(invoicesOf(customerId)).toHaveLength(1)
    expect(await accountOf(accountId)).toMatchObject({ billedMicroUsd: 0n })
  })
})
