import { z } from 'zod'
import type { BillingProvider } from '../../src/billing/provider/provider.ts'
import { billingLinkSchema, makeBillingLink } from '../billing-link.ts'
import type { AccountOf, App } from '../context.ts'
import { accountErrors, accountSecurity, errorEnvelope, requestId } from '../schemas/errors.ts'

const billingLink = z.object({ request_id: requestId, billing_link: billingLinkSchema }).meta({ id: 'BillingLink' })

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
    handler: async (request) => ({
      request_id: request.id,
      billing_link: await makeBillingLink(provider, accountOf(request).accountId),
    }),
  })
}
