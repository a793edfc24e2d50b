import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { setAccountLimits } from '../../account/limits.ts'
import { limitsRequest, limitsSchema } from '../../account/limits-schema.ts'
import { defineTool, replace } from '../define-tool.ts'

export const setSpendCapTool = defineTool({
  name: 'set_spend_cap',
  title: 'Set the monthly spend cap',
  description:
    'Sets the maximum that a month can cost, and the percentages of it at which the owner gets an alert. Jobs that would exceed it are refused. null removes the cap: ask the user first. Needs a credential with the scope all.',
  auth: 'account',
  annotations: replace,
  input: strictFields(limitsRequest.shape),
  output: z.object({ limits: limitsSchema }),
  run: async (wanted, { context, credential: { accountId }, requestId }) => {
    const limits = await setAccountLimits(context, { accountId, requestId, wanted })
    const { monthly_cap_usd: cap, spent_usd, held_usd } = limits
    const set = cap === null ? 'There is no cap now.' : `At most ${cap} USD a month from now on.`
    return {
      structured: { limits },
      text: `${set} This month ${spent_usd} USD are spent and ${held_usd} USD held. Running jobs continue.`,
    }
  },
})
