import { z } from 'zod'
import type { BillingProvider } from '../../src/billing/provider/provider.ts'
import type { AccountOf, App } from '../context.ts'
import { accountErrors, accountSecurity, errorEnvelope, requestId } from '../schemas/errors.ts'

const billingLink = z
  .object({
    request_id: requestId,
    billing_link: z.object({ url: z.url().describe('For the browser of the owner.'), expires_in_seconds: z.int() }),
  })
  .meta({ id: 'BillingLink' })

/** `POST /v1/account/billing-link` */
export function billingLinkRoute(app: App, provider: BillingProvider, accountOf: AccountOf): void {
  app.route({
    method: 'POST',
    url: '/v1/account/billing-link',
    schema: {
      operationId: 'createBillingLink',
      tags: ['account'],
      summary: 'Get a link to activate or manage billing',
      description: 'Where this service takes no money, the answer is 501 endpoint_unavailable.',
      security: accountSecurity,
      response: { ...accountErrors, 200: billingLink, 501: errorEnvelope },
    },
    handler: async (request) => {
      const { url, expiresInSeconds } = await provider.createLink(accountOf(request).accountId)
      return { request_id: request.id, billing_link: { url, expires_in_seconds: expiresInSeconds } }
    },
  })
}
