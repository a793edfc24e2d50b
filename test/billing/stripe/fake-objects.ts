import { randomText } from '../../../src/core/ids.ts'

// The state of a stand-in for Stripe, in the shapes that its API returns, as far as the service reads them.

export interface FakeCustomer {
  readonly id: string
  readonly object: 'customer'
  readonly metadata: Readonly<Record<string, string>>
  readonly email: string | null
  invoice_settings: { default_payment_method: string | null }
  readonly createdMs: number
  deleted?: true
}

export interface FakeInvoice {
  readonly id: string
  readonly object: 'invoice'
  readonly customer: string
  readonly created: number
  readonly metadata: Readonly<Record<string, string>>
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  attempted: boolean
  auto_advance: boolean
  /** How often money was taken for it. */
  timesPaid: number
}

export interface FakeItem {
  readonly id: string
  readonly object: 'invoiceitem'
  readonly invoice: string
  readonly amount: number
  readonly description: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface FakeMethod {
  readonly id: string
  readonly object: 'payment_method'
  customer: string | null
  /** Whether it can be charged. */
  readonly isGood: boolean
}

export interface FakeSession {
  readonly id: string
  readonly object: 'checkout.session'
  readonly mode: string
  readonly customer: string
  readonly url: string
  status: 'open' | 'complete'
  setup_intent: { id: string; object: 'setup_intent'; status: string; payment_method: string } | null
}

export type FakeObject = FakeCustomer | FakeInvoice | FakeItem | FakeMethod | FakeSession

export class Refusal extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.body = { error: { type: 'invalid_request_error', code, message } }
  }
}

export const newFakeId = (prefix: string): string => `${prefix}_${randomText(18)}`

function refuseCard(): never {
  throw new Refusal(402, 'card_declined', 'Your card was declined.')
}

type Form = Readonly<Record<string, string>>

/** `metadata[a]=b` as `{ a: 'b' }`. */
function metadataOf(form: Form): Record<string, string> {
  const fields = Object.entries(form).map(([name, value]) => [/^metadata\[(.+)\]$/.exec(name)?.[1], value] as const)
  return Object.fromEntries(fields.flatMap(([name, value]) => (name === undefined ? [] : [[name, value]])))
}

export function createObjects() {
  const customers = new Map<string, FakeCustomer>()
  const invoices = new Map<string, FakeInvoice>()
  const items = new Map<string, FakeItem>()
  const methods = new Map<string, FakeMethod>()
  const sessions = new Map<string, FakeSession>()
  const lag = { searchMilliseconds: 0 }

  const get = <T>(kept: ReadonlyMap<string, T>, id: string): T => {
    const found = kept.get(id)
    if (found === undefined) throw new Refusal(404, 'resource_missing', `No such object: ${id}`)
    return found
  }
  const put = <T extends { readonly id: string }>(kept: Map<string, T>, object: T): T => {
    kept.set(object.id, object)
    return object
  }
  const liveCustomer = (id = ''): FakeCustomer => {
    const customer = get(customers, id)
    if (customer.deleted) throw new Refusal(400, 'resource_missing', `No such customer: ${id}`)
    return customer
  }
  const list = (data: readonly object[]) => ({ object: 'list', url: '/', has_more: false, data })
  const draft = (id: string): FakeInvoice => {
    const invoice = get(invoices, id)
    if (invoice.status !== 'draft') throw new Refusal(400, 'invoice_not_editable', 'This invoice is finalized.')
    return invoice
  }

  /** Takes the money for an open invoice from the customer's default payment method, if that is possible. */
  const chargeNow = (invoice: FakeInvoice): boolean => {
    const method = customers.get(invoice.customer)?.invoice_settings.default_payment_method ?? ''
    const isPaid = methods.get(method)?.isGood ?? false
    Object.assign(invoice, { attempted: true, ...(isPaid ? { status: 'paid', timesPaid: invoice.timesPaid + 1 } : {}) })
    return isPaid
  }

  /** Method and path, `:id` being the object's id. */
  const routes: Readonly<Record<string, (form: Form, id: string) => object>> = {
    'POST /v1/customers': (form) =>
      put(customers, {
        ...{ id: newFakeId('cus'), object: 'customer', email: form['email'] ?? null, metadata: metadataOf(form) },
        ...{ invoice_settings: { default_payment_method: null }, createdMs: Date.now() },
      }),
    'GET /v1/customers/search': ({ query = '' }) => {
      const [, name = '', value = ''] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(query) ?? []
      const isKnown = (one: FakeCustomer) => Date.now() - one.createdMs >= lag.searchMilliseconds && !one.deleted
      const data = [...customers.values()].filter((one) => isKnown(one) && one.metadata[name] === value)
      return { object: 'search_result', url: '/', has_more: false, data }
    },
    'GET /v1/customers/:id': (_form, id) => {
      const customer = get(customers, id)
      return customer.deleted ? { id, object: 'customer', deleted: true } : customer
    },
    'POST /v1/customers/:id': (form, id) => {
      const method = form['invoice_settings[default_payment_method]']
      if (method !== undefined && get(methods, method).customer !== id)
        throw new Refusal(400, 'resource_missing', 'The payment method is not of this customer.')
      return Object.assign(liveCustomer(id), { invoice_settings: { default_payment_method: method ?? null } })
    },
    'DELETE /v1/customers/:id': (_form, id) => {
      liveCustomer(id).deleted = true
      for (const method of methods.values()) if (method.customer === id) method.customer = null
      return { id, object: 'customer', deleted: true }
    },
    'POST /v1/checkout/sessions': ({ customer, mode = '' }) => {
      const id = newFakeId('cs_test')
      const url = `https://checkout.example/${id}`
      const of = liveCustomer(customer).id
      return put(sessions, {
        id,
        object: 'checkout.session',
        mode,
        customer: of,
        url,
        status: 'open',
        setup_intent: null,
      })
    },
    'GET /v1/checkout/sessions/:id': (_form, id) => get(sessions, id),
    'POST /v1/billing_portal/sessions': ({ customer }) => ({
      ...{ id: newFakeId('bps'), object: 'billing_portal.session', customer: liveCustomer(customer).id },
      url: `https://portal.example/${customer}`,
    }),
    'GET /v1/payment_methods/:id': (_form, id) => get(methods, id),
    'POST /v1/invoices': (form) =>
      put(invoices, {
        ...{ id: newFakeId('in'), object: 'invoice', customer: liveCustomer(form['customer']).id, status: 'draft' },
        ...{ created: Math.floor(Date.now() / 1000), metadata: metadataOf(form), attempted: false, timesPaid: 0 },
        auto_advance: form['auto_advance'] === 'true',
      }),
    'GET /v1/invoices': (form) => {
      const since = Number(form['created[gte]'] ?? 0)
      return list([...invoices.values()].filter((one) => one.customer === form['customer'] && one.created >= since))
    },
    'GET /v1/invoices/:id': (_form, id) => get(invoices, id),
    'DELETE /v1/invoices/:id': (_form, id) => {
      invoices.delete(draft(id).id)
      return { id, object: 'invoice', deleted: true }
    },
    'POST /v1/invoices/:id/finalize': (form, id) =>
      Object.assign(draft(id), { status: 'open', auto_advance: form['auto_advance'] === 'true' }),
    'POST /v1/invoices/:id/pay': (_form, id) => {
      const invoice = get(invoices, id)
      if (invoice.status !== 'open') throw new Refusal(400, 'invoice_already_paid', 'Invoice is not open.')
      return chargeNow(invoice) ? invoice : refuseCard()
    },
    'POST /v1/invoiceitems': (form) => {
      liveCustomer(form['customer'])
      const amount = Number(form['amount'])
      if (!Number.isSafeInteger(amount)) throw new Refusal(400, 'parameter_invalid_integer', 'Invalid integer')
      return put(items, {
        ...{ id: newFakeId('ii'), object: 'invoiceitem', invoice: draft(form['invoice'] ?? '').id, amount },
        ...{ description: form['description'] ?? '', metadata: metadataOf(form) },
      })
    },
    'GET /v1/invoiceitems': (form) => list([...items.values()].filter(({ invoice }) => invoice === form['invoice'])),
  }

  return { customers, invoices, items, methods, sessions, lag, routes, chargeNow }
}
