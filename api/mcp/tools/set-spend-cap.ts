import { z } from 'zod'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { changeKnownKey } from '../../account/keys.ts'
import { keySchema } from '../../account/keys-schema.ts'
import { accountLimits, setAccountLimits } from '../../account/limits.ts'
import { limitsRequest, limitsSchema } from '../../account/limits-schema.ts'
import { defineTool, keyIdArgument, replace } from '../define-tool.ts'

export const setSpendCapTool = defineTool({
  name: 'set_spend_cap',
  title: 'Set the monthly cap',
  description:
    'Sets the monthly cap of the account or of one key, and the percentages at which the owner gets an alert. Jobs that would exceed the cap are refused. A credential can lower caps, and raise or remove (null) them only with may_raise_limits: ask the user first. Needs the scope all.',
  auth: 'account',
  annotations: replace,
  input: strictFields({
    ...limitsRequest.shape,
    key_id: keyIdArgument.optional().describe('Sets the cap of this key instead of the account.'),
  }),
  output: z.object({ limits: limitsSchema, key: keySchema.optional() }),
  run: async ({ key_id, ...wanted }, { context, credential, requestId }) => {
    if (key_id === undefined) {
      const limits = await setAccountLimits(context, { ...credential, requestId, wanted })
      return { structured: { limits }, text: describeCap('the account', limits) }
    }
    if (wanted.alert_percents)
      throw new ServiceError('invalid_request', 'alert_percents: alerts are of the account. Leave out key_id.')
    const key = await changeKnownKey(context.db, credential, key_id, { monthly_cap_usd: wanted.monthly_cap_usd })
    const limits = await accountLimits(context, credential)
    return { structured: { limits, key }, text: describeCap(`key ${key.id}`, key) }
  },
})

interface Capped {
  readonly monthly_cap_usd: number | null
  /** Unknown for a key. */
  readonly spent_usd?: number
}

function describeCap(whose: string, { monthly_cap_usd: cap, spent_usd: spent = 0 }: Capped): string {
  const set = cap === null ? `There is no cap of ${whose} now.` : `At most ${cap} USD a month for ${whose} from now on.`
  const passed =
    cap !== null && spent > 0 && spent >= cap
      ? ` ${spent} USD is already spent this month: charged jobs are refused until the next month, or a higher cap.`
      : ''
  return `${set}${passed} Running jobs continue. Next: svc.get_account_limits for the amounts spent and held.`
}
