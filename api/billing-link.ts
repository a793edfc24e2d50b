import { z } from 'zod'
import type { BillingProvider } from '../src/billing/provider/provider.ts'

export const billingLinkSchema = z.object({
  url: z.url().describe('For the browser of the owner.'),
  expires_in_seconds: z.int(),
})

/** `endpoint_unavailable` where this service takes no money. */
export async function makeBillingLink(
  provider: BillingProvider,
  accountId: string,
): Promise<z.output<typeof billingLinkSchema>> {
  const { url, expiresInSeconds } = await provider.createLink(accountId)
  return { url, expires_in_seconds: expiresInSeconds }
}
