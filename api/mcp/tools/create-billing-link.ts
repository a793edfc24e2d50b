import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { billingLinkSchema, makeBillingLink } from '../../account/billing-link.ts'
import { add, defineTool } from '../define-tool.ts'

export const createBillingLinkTool = defineTool({
  name: 'create_billing_link',
  title: 'Get a link to activate or manage billing',
  description:
    'Returns a link with which the owner of the account activates or manages billing. Jobs need active billing when the free credits are used up. Show the link to the user and do not open it yourself. Needs the scope all.',
  auth: 'account',
  annotations: add,
  input: strictFields({}),
  output: z.object({ billing_link: billingLinkSchema }),
  run: async (_input, { context, credential }) => {
    const link = await makeBillingLink(context, credential.accountId)
    return {
      structured: { billing_link: link },
      text: `Ask the owner of the account to open ${link.url} within ${Math.floor(link.expires_in_seconds / 60)} minutes. Next: svc.get_account_limits shows when billing is active.`,
    }
  },
})
