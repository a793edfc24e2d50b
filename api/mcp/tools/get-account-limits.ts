import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { describeBytes } from '../../../src/core/text.ts'
import { accountLimits } from '../../account/limits.ts'
import { limitsSchema } from '../../account/limits-schema.ts'
import { defineTool, lookUp } from '../define-tool.ts'

export const getAccountLimitsTool = defineTool({
  name: 'get_account_limits',
  title: 'Get what the account can still spend',
  description:
    'Returns the free credits left, the monthly cap and the amount spent of it, whether billing is active, the rate limits, and how much of the storage for uploads is used. Needs the scope all.',
  auth: 'account',
  annotations: lookUp,
  input: strictFields({}),
  output: z.object({ limits: limitsSchema }),
  run: async (_input, { context, credential }) => {
    const limits = await accountLimits(context, credential)
    const { credits_left_usd, monthly_cap_usd, spent_usd, billing, storage, key } = limits
    const [stored, max] = [storage.stored_bytes, storage.max_bytes].map(describeBytes)
    const cap = monthly_cap_usd === null ? 'no monthly cap' : `a cap of ${monthly_cap_usd} USD a month`
    const ofKey =
      key?.monthly_cap_usd == null
        ? ''
        : ` This credential may spend ${key.monthly_cap_usd} USD a month; ${key.spent_usd} USD is spent and ${key.held_usd} USD held.`
    return {
      structured: { limits },
      text: `${credits_left_usd} USD of credits left, ${cap}, ${spent_usd} USD spent this month, billing ${billing}.${ofKey} Uploads take ${stored} of ${max}. Next: svc.set_spend_cap to limit spending, svc.create_billing_link to continue after the credits.`,
    }
  },
})
