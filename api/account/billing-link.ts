import { z } from 'zod'
import type { ApiContext } from '../http/context.ts'
import { accountRoute } from '../http/route.ts'
import { accountErrors, accountSecurity, errorEnvelope, requestId } from '../http/schemas.ts'

export const billingLinkSchema = z.object({
  url: z.url().describe("For the owner's browser."),
  expires_in_seconds: z.int(),
})

/** Throws `endpoint_unavailable` if this service takes no money. */
export async function makeBillingLink(
  { billing }: Pick<ApiContext, 'billing'>,
  accountId: string,
): Promise<z.output<typeof billingLinkSchema>> {
  const { url, expiresInSeconds } = await billing.createLink(accountId)
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
  handler: async (request, { context, account }) => ({
    request_id: request.id,
    billing_link: await makeBillingLink(context, account.accountId),
  }),
})
