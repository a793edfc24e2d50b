import { z } from 'zod'
import { returnPath } from '../../src/billing/provider/return-path.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { ApiContext, App } from '../http/context.ts'
import { cardPage, sendPage } from '../http/html.ts'

/** Stripe's events are a few kB; an invoice with many lines is larger. */
const maxEventBytes = 256 * 1024

const schema = { hide: true }
const eventBody = z.instanceof(Buffer)

/** What Stripe calls, and the page that owners return to from it. */
export async function stripeRoutes(app: App, { config, billing }: ApiContext): Promise<void> {
  const { receiveEvent } = billing
  if (config.BILLING !== 'stripe' || !receiveEvent) return

  // The signature is over the bytes as they came.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxEventBytes },
    async (_request: unknown, body: Buffer) => body,
  )

  app.post('/api/webhooks/stripe', { schema }, async (request) => {
    const body = eventBody.safeParse(request.body)
    const signature = request.headers['stripe-signature']
    if (!body.success || typeof signature !== 'string')
      throw new ServiceError('invalid_request', 'Send a signed event.')
    await receiveEvent(body.data, signature)
    return { request_id: request.id, received: true }
  })

  app.get(returnPath, { schema }, async (_request, reply) => sendPage(reply, returnPage))
}

const returnPage = cardPage(
  'Billing',
  `<h1>Back from Stripe</h1>
<p>You can close this page. If you added a payment method, billing becomes active within seconds, and you get a mail.</p>`,
)
