import { z } from 'zod'
import { openBillingProvider } from '../../src/billing/provider/open-provider.ts'
import { accountRoute } from '../http/route.ts'
import { accountErrors, accountSecurity, errorEnvelope, requestId } from '../http/schemas.ts'

export const billingLinkSchema = z.object({
  url: z.url().describe("For the owner's browser."),
  expires_in_seconds: z.int(),
})

type BillingConfig = Parameters<typeof openBillingProvider>[0]

/** Throws `endpoint_unavailable` if this service takes no money. */
export async function makeBillingLink(
  config: BillingConfig,
  accountId: string,
): Promise<z.output<typeof billingLinkSchema>> {
  const { url, expiresInSeconds } = await openBillingProvider(config).createLink(accountId)
  return { url, expires_in_seconds: expiresInSeconds }
}

const billingLink = z.object({ request_id: requestId, billing_link: billingLinkSchema }).meta({ id: 'BillingLink' })

/** `POST /v1/account/billing-link` */
export const billingLinkRoute = accountRoute({
  method: 'POST',
  url: '/v1/account/billing-link',
  schema: {
    operationId: 'createBillingLink',
    tags: ['account'],
    summary: 'Get a link to activate or manage billing',
    description: 'A service without billing answers 501 endpoint_unavailable.',
    security: accountSecurity,
    response: { ...accountErrors, 200: billingLink, 501: errorEnvelope },
  },
  handler: async (request, { context: { config }, account }) => ({
    request_id: request.id,
    billing_link: await makeBillingLink(config, account.accountId),
  }),
})
