import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { z } from 'zod'
import { createObjects, type FakeObject, newFakeId, Refusal } from './fake-objects.ts'

// A stand-in for Stripe that keeps what was made, so that a test can ask what was charged, once or twice.

/** What happens to a call. `lost`: the work is done, and the answer is not. `kept500`: the key of the call has this answer for ever. */
export type Fault = 'refused' | 'lost' | '429' | '500' | 'kept500'

export interface FakeCall {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
}

export interface FakeEvent {
  readonly id: string
  readonly type: string
  readonly payload: string
}

interface Reply {
  readonly status: number
  readonly body: string
}

export const webhookSecret = 'whsec_fake'

export async function startFakeStripe() {
  const objects = createObjects()
  const calls: FakeCall[] = []
  const events: FakeEvent[] = []
  const replies = new Map<string, Reply & { readonly of: string }>()
  const behaviour = {
    faultOf: (_call: FakeCall): Fault | undefined => undefined,
    /** Runs between the work of a call and its answer. */
    beforeAnswer: async (_call: FakeCall): Promise<void> => {},
  }
  const open = { now: 0, most: 0 }

  function work(method: string, path: string, form: Readonly<Record<string, string>>): Reply {
    try {
      const [exact, id = ''] = [
        objects.routes[`${method} ${path}`],
        path.split('/')[path.includes('/checkout/') ? 4 : 3],
      ]
      const route = exact ?? objects.routes[`${method} ${path.replace(`/${id}`, '/:id')}`]
      if (!route) throw new Refusal(404, 'url_invalid', `Unrecognized request URL: ${method} ${path}`)
      return { status: 200, body: JSON.stringify(route(form, id)) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: JSON.stringify(error.body) }
    }
  }

  function answer(call: FakeCall, fault: Fault | undefined, sent: string): Reply {
    const { method, path, key } = call
    const of = `${path}?${sent}`
    const kept = key === undefined ? undefined : replies.get(key)
    if (kept && kept.of !== of) return failure(400, 'idempotency_error')
    if (kept) return kept
    if (fault === '429') return failure(429, 'rate_limit')
    if (fault === '500') return failure(500, 'api_error')
    const reply =
      fault === 'kept500'
        ? failure(500, 'api_error')
        : work(method, path, Object.fromEntries(new URLSearchParams(sent)))
    if (key !== undefined) replies.set(key, { ...reply, of })
    return reply
  }

  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://stand-in')
      const { method = 'GET', headers } = request
      const body = await text(request)
      const key = method === 'POST' ? z.string().optional().parse(headers['idempotency-key']) : undefined
      const call = { method, path: url.pathname, key }
      if (!/^Bearer sk_test_\w+$/.test(headers.authorization ?? '') || !headers['stripe-version'])
        throw new Error('no key')
      calls.push(call)
      open.most = Math.max(open.most, ++open.now)
      const fault = behaviour.faultOf(call)
      const reply =
        fault === 'refused' ? undefined : answer(call, fault, method === 'POST' ? body : url.search.slice(1))
      await behaviour.beforeAnswer(call)
      open.now -= 1
      if (!reply || fault === 'lost') return request.socket.destroy()
      response.writeHead(reply.status, { 'content-type': 'application/json', 'request-id': newFakeId('req') })
      return response.end(reply.body)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())

  /** An event about an object as it is now, not delivered yet. */
  function emit(type: string, object: FakeObject, previous?: Readonly<Record<string, unknown>>): FakeEvent {
    const id = newFakeId('evt')
    const data = { object, ...(previous ? { previous_attributes: previous } : {}) }
    const event = { id, type, payload: JSON.stringify({ id, object: 'event', type, data }) }
    events.push(event)
    return event
  }

  return {
    endpoint: `http://127.0.0.1:${port}`,
    ...objects,
    calls,
    events,
    behaviour,
    open,
    emit,
    /** A customer with a good card, whom the account's row names. */
    addCustomer: (id: string, accountId: string): void => {
      const method = `pm_of_${id}`
      objects.methods.set(method, { id: method, object: 'payment_method', customer: id, isGood: true })
      objects.customers.set(id, {
        ...{ id, object: 'customer', metadata: { account_id: accountId }, email: null, createdMs: 0 },
        invoice_settings: { default_payment_method: method },
      })
    },
    /** Completes a session as its owner does, with a card. */
    completeCheckout: (sessionId: string, isGood = true): FakeEvent => {
      const session = objects.sessions.get(sessionId)
      if (!session) throw new Error('no such session')
      const method = { id: newFakeId('pm'), object: 'payment_method', customer: session.customer, isGood } as const
      objects.methods.set(method.id, method)
      session.status = 'complete'
      session.setup_intent = {
        id: newFakeId('seti'),
        object: 'setup_intent',
        status: 'succeeded',
        payment_method: method.id,
      }
      return emit('checkout.session.completed', session)
    },
    /** Charges a finalized invoice, as Stripe does in the hour after. */
    charge: (invoiceId: string): FakeEvent => {
      const invoice = objects.invoices.get(invoiceId)
      if (invoice?.status !== 'open') throw new Error('nothing to charge')
      return emit(objects.chargeNow(invoice) ? 'invoice.paid' : 'invoice.payment_failed', invoice)
    },
    /** Removes a payment method, as its owner does in the portal. */
    detach: (methodId: string): FakeEvent => {
      const method = objects.methods.get(methodId)
      const customer = objects.customers.get(method?.customer ?? '')
      if (!method || !customer) throw new Error('nothing to detach')
      if (customer.invoice_settings.default_payment_method === methodId)
        customer.invoice_settings = { default_payment_method: null }
      method.customer = null
      return emit('payment_method.detached', method, { customer: customer.id })
    },
    /** The items of an invoice, and their sum. */
    itemsOf: (invoiceId: string) => [...objects.items.values()].filter(({ invoice }) => invoice === invoiceId),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>

/** The signature of a delivery. */
export function signatureOf(payload: string, { secret = webhookSecret, secondsAgo = 0 } = {}): string {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo
  return new Stripe('sk_test_signer').webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

/** A fault for some calls at random, always the same for a seed. */
export function randomFaults(seed: number, share: number, kinds: readonly Fault[]) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) / 2 ** 24
  }
  return (): Fault | undefined => (next() < share ? kinds[Math.floor(next() * kinds.length)] : undefined)
}

function failure(status: number, code: string): Reply {
  return { status, body: JSON.stringify({ error: { type: 'api_error', code, message: 'told' } }) }
}
