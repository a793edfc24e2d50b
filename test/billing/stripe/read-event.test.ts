import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { readEvent } from '../../../src/billing/provider/stripe/read-event.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { survivesMangling } from '../../mangled-bytes.ts'
import { signatureOf, webhookSecret } from './fake-stripe.ts'

const stripe = new Stripe('sk_test_reader')
const event = {
  id: 'evt_1',
  type: 'invoice.paid',
  data: { object: { id: 'in_1', customer: 'cus_1' }, previous_attributes: { customer: null } },
}
const read = (payload: string) => readEvent(stripe, Buffer.from(payload), signatureOf(payload), webhookSecret)

describe('a signed event', () => {
  it('says what to fetch', () => {
    expect(read(JSON.stringify(event))).toEqual({
      id: 'evt_1',
      type: 'invoice.paid',
      customerId: 'cus_1',
      invoiceId: 'in_1',
    })
  })

  it('that is no JSON is refused', () => {
    expect(() => read('{"id": ')).toThrow('The body is no JSON.')
  })

  it.each(['null', '5', '[]', '{}'])('that is %s changes nothing', (payload) => {
    expect(read(payload)).toBeUndefined()
  })

  it('with a name that the database cannot store is refused', () => {
    const withCustomer = (name: string) => ({ ...event, data: { object: { id: 'in_1', customer: name } } })
    for (const each of [{ ...event, id: 'evt_\0' }, withCustomer('cus_\0')])
      expect(() => read(JSON.stringify(each))).toThrow('contains a NUL character')
  })

  it('that is mangled is read, ignored or refused', async () => {
    await survivesMangling({
      samples: [Buffer.from(JSON.stringify(event)), Buffer.from(JSON.stringify(event, null, 2))],
      parse: (_, whole) => void read(whole.toString()),
      isDeclared: (error) => error instanceof ServiceError && error.code === 'invalid_request',
    })
  })
})
