import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deleteAccount } from '../../../src/accounts/erase-account.ts'
import { createAccount } from '../../../src/accounts/own-account.ts'
import { checkLedger } from '../../../src/billing/check-ledger.ts'
import { newId } from '../../../src/core/ids.ts'
import { renderNotice } from '../../../src/mail/notices.ts'
import { signatureOf } from './fake-stripe.ts'
import { openStripeStage } from './stage.ts'

const { db, fake, provider, openProvider, deliver, accountOf, newPayer, use, invoicesOf } = await openStripeStage()

const month = '2026-10'
const sixHours = 21_600

const statusOf = async (accountId: string) => (await accountOf(accountId)).billingStatus
const noticesOf = async (accountId: string) => {
  const notices = await db.notice.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' } })
  return notices.map((notice) => [notice.kind, notice.data, renderNotice(notice).subject])
}
const methodOf = (customerId: string) => String(fake.customers.get(customerId)?.invoice_settings.default_payment_method)
const activated = ['billing_activated', { cap_usd: 100 }, 'Billing is active']
const deactivated = (reason: string) => ['billing_deactivated', { reason }, 'Billing is no longer active']

/** A payer with an invoice that Stripe could not charge. */
async function debtor() {
  const payer = await newPayer({ isGood: false })
  await use(payer.accountId, sixHours, month)
  await provider.closeAccount({ accountId: payer.accountId, month })
  const invoiceId = invoicesOf(payer.customerId)[0]?.invoice.id ?? ''
  return { ...payer, invoiceId, failed: fake.charge(invoiceId) }
}

describe('Checkout', () => {
  it('activates billing once with a cap of 100 USD, tells the owner, and charges nothing', async () => {
    const { accountId, customerId } = await newPayer()
    expect(await accountOf(accountId)).toMatchObject({ billingStatus: 'active', monthlyCapMicroUsd: 100_000_000n })
    expect(await noticesOf(accountId)).toEqual([activated])
    expect(invoicesOf(customerId)).toEqual([])
  })

  it('that is reported twice, also simultaneously, has one effect', async () => {
    const accountId = await createAccount(db, newId('acct'))
    const { url } = await provider.createLink(accountId)
    const event = fake.completeCheckout(url.split('/').at(-1) ?? '')
    await Promise.all([deliver(event), deliver(event), deliver(event)])
    await deliver(event)
    expect(await noticesOf(accountId)).toEqual([activated])
    expect(await db.billingEvent.count({ where: { id: event.id } })).toBe(1)
  })

  it('that is reported after its card was removed activates nothing', async () => {
    const accountId = await createAccount(db, newId('acct'))
    const { url } = await provider.createLink(accountId)
    const completed = fake.completeCheckout(url.split('/').at(-1) ?? '')
    const session = [...fake.sessions.values()].at(-1)
    const detached = fake.detach(String(session?.setup_intent?.payment_method))
    for (const event of [detached, completed]) await deliver(event)
    expect(await statusOf(accountId)).toBe('inactive')
    expect(await noticesOf(accountId)).toEqual([])
  })

  it('that is reported late replaces no payment method that was chosen since', async () => {
    const { accountId, customerId } = await newPayer()
    const chosen = methodOf(customerId)
    await db.account.update({ where: { id: accountId }, data: { billingStatus: 'inactive' } })
    const { url } = await provider.createLink(accountId)
    await deliver(fake.completeCheckout(url.split('/').at(-1) ?? ''))
    expect(methodOf(customerId)).toBe(chosen)
  })
})

describe('a link', () => {
  it('leads to Checkout, then to the portal, for one customer with the id of the account', async () => {
    const accountId = await createAccount(db, newId('acct'))
    const links = await Promise.all([1, 2, 3].map(() => provider.createLink(accountId)))
    expect(links.map(({ url, expiresInSeconds }) => [new URL(url).host, expiresInSeconds])).toEqual(
      Array.from({ length: 3 }, () => ['checkout.example', 3600]),
    )
    const made = [...fake.customers.values()].filter(({ metadata }) => metadata['account_id'] === accountId)
    expect(made).toHaveLength(1)
    const payer = await newPayer()
    expect(await provider.createLink(payer.accountId)).toEqual({
      url: `https://portal.example/${payer.customerId}`,
      expiresInSeconds: 300,
    })
  })

  it.each(['lost', '500', 'kept500', 'refused'] as const)('is made when the customer’s call is %s', async (kind) => {
    const accountId = await createAccount(db, newId('acct'))
    let left = 1
    fake.lag.searchMilliseconds = 60_000
    fake.behaviour.faultOf = ({ method, path }) =>
      method === 'POST' && path === '/v1/customers' && left-- > 0 ? kind : undefined
    await provider.createLink(accountId).catch(() => {})
    fake.behaviour.faultOf = () => undefined
    expect((await provider.createLink(accountId)).url).toContain('checkout.example')
    fake.lag.searchMilliseconds = 0
    const made = [...fake.customers.values()].filter(({ metadata }) => metadata['account_id'] === accountId)
    expect(made).toHaveLength(1)
  })

  it('is made anew when somebody deleted the customer at Stripe', async () => {
    const { accountId, customerId } = await newPayer()
    const customer = fake.customers.get(customerId)
    if (customer) customer.deleted = true
    await provider.createLink(accountId)
    const { customerId: next } = await db.billingCustomer.findUniqueOrThrow({ where: { accountId } })
    expect([next === customerId, fake.customers.get(next ?? '')?.deleted]).toEqual([false, undefined])
  })
})

describe('billing', () => {
  it('ends when the payment method is removed, and the owner is told', async () => {
    const { accountId, customerId } = await newPayer()
    await deliver(fake.detach(methodOf(customerId)))
    expect(await statusOf(accountId)).toBe('inactive')
    expect(await noticesOf(accountId)).toEqual([activated, deactivated('no_payment_method')])
    expect((await provider.createLink(accountId)).url).toContain('checkout.example')
  })

  it('ends when the customer is deleted, and begins again with another', async () => {
    const { accountId, customerId } = await newPayer()
    const customer = fake.customers.get(customerId)
    if (!customer) throw new Error('no customer')
    customer.deleted = true
    await deliver(fake.emit('customer.deleted', customer))
    expect(await noticesOf(accountId)).toEqual([activated, deactivated('customer_deleted')])
    const { url } = await provider.createLink(accountId)
    await deliver(fake.completeCheckout(url.split('/').at(-1) ?? ''))
    expect(await statusOf(accountId)).toBe('active')
  })

  it('ends when an invoice cannot be charged, and begins again when it is paid', async () => {
    const { accountId, customerId, invoiceId, failed } = await debtor()
    await deliver(failed)
    expect(await statusOf(accountId)).toBe('inactive')
    expect((await provider.createLink(accountId)).url).toContain('portal.example')
    const method = { id: 'pm_next', object: 'payment_method', customer: customerId, isGood: true } as const
    fake.methods.set(method.id, method)
    const customer = fake.customers.get(customerId)
    if (!customer) throw new Error('no customer')
    customer.invoice_settings = { default_payment_method: method.id }
    await deliver(fake.emit('customer.updated', customer))
    expect(await statusOf(accountId)).toBe('inactive')
    await deliver(fake.charge(invoiceId))
    expect(await statusOf(accountId)).toBe('active')
    expect(await noticesOf(accountId)).toEqual([activated, deactivated('payment_failed'), activated])
    expect(await accountOf(accountId)).toMatchObject({ billedMicroUsd: 0n })
  })
})

describe('events', () => {
  it('have the effect of the last one in any order', async () => {
    const { accountId, customerId, invoiceId, failed } = await debtor()
    for (const method of fake.methods.values()) {
      if (method.customer === customerId) fake.methods.set(method.id, { ...method, isGood: true })
    }
    const paid = fake.charge(invoiceId)
    for (const event of [paid, failed, paid, failed]) await deliver(event)
    expect(await statusOf(accountId)).toBe('active')
    expect(await noticesOf(accountId)).toEqual([activated])
    expect(await db.ledgerEntry.count({ where: { accountId, kind: 'payment' } })).toBe(1)
  })

  it('whose reading is overtaken by a newer one do not undo it', async () => {
    const { accountId, customerId } = await newPayer()
    const customer = fake.customers.get(customerId)
    if (!customer) throw new Error('no customer')
    const older = fake.emit('customer.updated', customer)
    fake.behaviour.beforeAnswer = async ({ path }) => {
      if (path !== `/v1/customers/${customerId}`) return
      fake.behaviour.beforeAnswer = async () => {}
      await deliver(fake.detach(methodOf(customerId)), {}, openProvider())
    }
    await deliver(older)
    expect(await statusOf(accountId)).toBe('inactive')
    expect(await noticesOf(accountId)).toEqual([activated, deactivated('no_payment_method')])
  })

  it('of one account that arrive simultaneously are all taken, and each is read once', async () => {
    const { accountId, customerId } = await newPayer()
    const customer = fake.customers.get(customerId) ?? neverObject()
    const events = Array.from({ length: 60 }, () => fake.emit('customer.updated', customer))
    const before = fake.calls.length
    await Promise.all([...events, ...events].map((event) => deliver(event)))
    expect(fake.calls.length - before).toBe(60)
    expect(await db.billingEvent.count({ where: { id: { in: events.map(({ id }) => id) } } })).toBe(60)
    expect(await statusOf(accountId)).toBe('active')
  })

  it('of one account that arrive simultaneously at several processes are all taken', async () => {
    const { accountId, customerId } = await newPayer()
    const customer = fake.customers.get(customerId) ?? neverObject()
    const events = Array.from({ length: 24 }, () => fake.emit('customer.updated', customer))
    const processes = [provider, openProvider(), openProvider()]
    await Promise.all(events.map((event, at) => deliver(event, {}, processes[at % processes.length])))
    expect(await db.billingEvent.count({ where: { id: { in: events.map(({ id }) => id) } } })).toBe(24)
    expect(await statusOf(accountId)).toBe('active')
  })

  it('of an invoice reach the account also after its customer was deleted, so that an old debt does not end its billing for ever', async () => {
    const { accountId, customerId, invoiceId, failed } = await debtor()
    await deliver(failed)
    const customer = fake.customers.get(customerId) ?? neverObject()
    customer.deleted = true
    await deliver(fake.emit('customer.deleted', customer))
    await provider.createLink(accountId)
    const invoice = fake.invoices.get(invoiceId) ?? neverObject()
    invoice.status = 'void'
    await deliver(fake.emit('invoice.voided', invoice))
    expect(await db.invoice.findMany({ where: { accountId } })).toMatchObject([{ status: 'void' }])
    const { url } = await provider.createLink(accountId)
    await deliver(fake.completeCheckout(url.split('/').at(-1) ?? ''))
    expect(await statusOf(accountId)).toBe('active')
  })

  it('that wait long while Stripe answers slowly are not taken, and are taken when Stripe repeats them', async () => {
    onTestFinished(() => void vi.useRealTimers())
    const { accountId, customerId } = await newPayer()
    const slow = fake.emit('customer.updated', fake.customers.get(customerId) ?? neverObject())
    const event = fake.detach(methodOf(customerId))
    fake.behaviour.beforeAnswer = async () => {
      fake.behaviour.beforeAnswer = async () => {}
      vi.setSystemTime(Date.now() + 61_000)
    }
    const [, late] = await Promise.allSettled([deliver(slow), deliver(event)])
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } })
    expect(await db.billingEvent.count({ where: { id: { in: [slow.id, event.id] } } })).toBe(1)
    vi.useRealTimers()
    await deliver(event)
    expect(await db.billingEvent.count({ where: { id: { in: [slow.id, event.id] } } })).toBe(2)
    expect(await statusOf(accountId)).toBe('inactive')
  })

  it.each([
    ['another secret', { secret: 'whsec_other' }],
    ['an old signature', { secondsAgo: 600 }],
  ])('with %s are refused, and change nothing', async (_what, options) => {
    const { accountId, customerId } = await newPayer()
    const event = fake.detach(methodOf(customerId))
    await expect(deliver(event, options)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await statusOf(accountId)).toBe('active')
    expect(await db.billingEvent.count({ where: { id: event.id } })).toBe(0)
    await deliver(event)
    expect(await statusOf(accountId)).toBe('inactive')
  })

  it('with a changed body are refused', async () => {
    const { customerId } = await newPayer()
    const event = fake.detach(methodOf(customerId))
    const { payload } = fake.emit('customer.updated', fake.customers.get(customerId) ?? neverObject())
    const sent = provider.receiveEvent(Buffer.from(payload), signatureOf(event.payload))
    await expect(sent).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('of other kinds, other customers and other invoices are left alone', async () => {
    const { accountId, customerId } = await newPayer()
    const stranger = { ...(fake.customers.get(customerId) ?? neverObject()), id: 'cus_stranger' }
    fake.customers.set(stranger.id, stranger)
    await deliver(fake.emit('customer.deleted', stranger))
    await deliver(fake.emit('charge.refunded', stranger))
    const invoice = {
      ...({ id: 'in_stranger', object: 'invoice', customer: customerId, created: 0, metadata: {} } as const),
      ...({ status: 'open', attempted: true, auto_advance: true, timesPaid: 0 } as const),
    }
    fake.invoices.set(invoice.id, invoice)
    await deliver(fake.emit('invoice.payment_failed', invoice))
    expect(await noticesOf(accountId)).toEqual([activated])
  })

  it('that cannot be read now are not taken, and are taken when Stripe repeats them', async () => {
    const { accountId, customerId } = await newPayer()
    const event = fake.detach(methodOf(customerId))
    fake.behaviour.faultOf = () => '429'
    await expect(deliver(event)).rejects.toMatchObject({ code: 'service_unavailable' })
    fake.behaviour.faultOf = () => undefined
    expect(await statusOf(accountId)).toBe('active')
    await deliver(event)
    expect(await statusOf(accountId)).toBe('inactive')
  })
})

describe('a deleted account', () => {
  const config = { SIGNING_KEY_ID: '1', SIGNING_SECRET: 'the secret of these tests, 1' }

  it('has no customer at Stripe any more, however often that is tried', async () => {
    const { accountId, customerId } = await newPayer()
    // One whose answer was lost long ago.
    const lost = { ...(fake.customers.get(customerId) ?? neverObject()), id: 'cus_lost', createdMs: 0 }
    fake.customers.set(lost.id, lost)
    await deleteAccount({ db, config, mailer: undefined }, accountId)
    fake.behaviour.faultOf = ({ method }) => (method === 'DELETE' ? '429' : undefined)
    await expect(provider.forgetCustomer(accountId)).rejects.toMatchObject({ code: 'service_unavailable' })
    fake.behaviour.faultOf = () => undefined
    await provider.forgetCustomer(accountId)
    await provider.forgetCustomer(accountId)
    expect([fake.customers.get(customerId)?.deleted, fake.customers.get(lost.id)?.deleted]).toEqual([true, true])
    await expect(provider.createLink(accountId)).rejects.toMatchObject({ code: 'not_found' })
    const left = [...fake.customers.values()].filter((one) => one.metadata['account_id'] === accountId && !one.deleted)
    expect(left).toEqual([])
  })

  it.each([true, false])(
    'gets its last invoice and is charged, before its customer goes; if that works: %s',
    async (isGood) => {
      const { accountId, customerId } = await newPayer({ isGood })
      await use(accountId, sixHours)
      await deleteAccount({ db, config, mailer: undefined }, accountId)
      let left = 2
      fake.behaviour.faultOf = ({ path }) => (path.endsWith('/pay') && left-- > 0 ? 'lost' : undefined)
      await provider.forgetCustomer(accountId).catch(() => {})
      fake.behaviour.faultOf = () => undefined
      await provider.forgetCustomer(accountId)
      expect(invoicesOf(customerId)).toEqual([
        {
          cents: 360,
          invoice: expect.objectContaining({ status: isGood ? 'paid' : 'open', timesPaid: isGood ? 1 : 0 }),
        },
      ])
      expect(await accountOf(accountId)).toMatchObject({ billedMicroUsd: isGood ? 0n : 3_600_000n })
      expect(fake.customers.get(customerId)?.deleted).toBe(true)
    },
  )

  it('takes events while its customer is deleted, and notifies nobody', async () => {
    for (const process of [provider, openProvider()]) {
      const { accountId, customerId } = await newPayer()
      await use(accountId, sixHours, month)
      await provider.closeAccount({ accountId, month })
      const customer = fake.customers.get(customerId) ?? neverObject()
      const updated = () => fake.emit('customer.updated', customer)
      const events = [updated(), fake.charge(invoicesOf(customerId)[0]?.invoice.id ?? ''), updated()]
      const last = fake.emit('customer.deleted', customer)
      await Promise.all([
        ...events.map((event) => deliver(event, {}, process)),
        deleteAccount({ db, config, mailer: undefined }, accountId).then(() =>
          Promise.all([provider.forgetCustomer(accountId), deliver(last, {}, process)]),
        ),
      ])
      await deliver(last, {}, process)
      expect(await accountOf(accountId)).toMatchObject({ billedMicroUsd: 0n, deletedAt: expect.any(Date) })
      expect(await db.billingCustomer.findUnique({ where: { accountId } })).toMatchObject({ customerId: null })
      expect(fake.customers.get(customerId)?.deleted).toBe(true)
      expect(await noticesOf(accountId)).toEqual([activated])
      expect(invoicesOf(customerId)).toEqual([
        expect.objectContaining({ invoice: expect.objectContaining({ timesPaid: 1 }) }),
      ])
    }
    expect(await checkLedger(db)).toEqual([])
  })

  it('still has the payment of its last invoice recorded', async () => {
    const { accountId, customerId } = await newPayer()
    await use(accountId, sixHours, month)
    await provider.closeAccount({ accountId, month })
    await deleteAccount({ db, config, mailer: undefined }, accountId)
    await deliver(fake.charge(invoicesOf(customerId)[0]?.invoice.id ?? ''))
    expect(await accountOf(accountId)).toMatchObject({ billedMicroUsd: 0n })
  })

  it('has a payment recorded that comes after its customer is gone', async () => {
    const { accountId, customerId } = await newPayer({ isGood: false })
    await use(accountId, sixHours, month)
    await deleteAccount({ db, config, mailer: undefined }, accountId)
    await provider.forgetCustomer(accountId)
    const invoice = invoicesOf(customerId)[0]?.invoice ?? neverObject()
    invoice.status = 'paid'
    await deliver(fake.emit('invoice.paid', invoice))
    expect(await accountOf(accountId)).toMatchObject({ billedMicroUsd: 0n })
    expect(await checkLedger(db)).toEqual([])
  })
})

function neverObject(): never {
  throw new Error('the stand-in lost an object')
}
