import { z } from 'zod'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { counted, describeBytes, quoted } from '../../../src/core/text.ts'
import { billingLinkSchema, makeBillingLink } from '../../account/billing.ts'
import { changeKnownKey, keyRequest, keySchema, keysOf, makeKeyAsAsked, revokeKnownKey } from '../../account/keys.ts'
import { accountLimits, limitsRequest, limitsSchema, setAccountLimits } from '../../account/limits.ts'
import { accountUsage, usageQuery, usageSchema } from '../../account/usage.ts'
import { add, defineTool, keyIdArgument, lookUp, replace } from '../define-tool.ts'

export const createApiKeyTool = defineTool({
  name: 'create_api_key',
  title: 'Create an API key',
  description:
    'Creates an API key, with a scope and a monthly cap, for a program that the user sets up. The secret is shown only once: store it, never log it. The key has at most the rights of the credential that created it, and ends with it. The owner gets a mail. Needs the scope all.',
  auth: 'account',
  annotations: add,
  input: strictFields({
    ...keyRequest.shape,
    monthly_cap_usd: keyRequest.shape.monthly_cap_usd.describe(
      'The maximum of a month for its jobs, and for those of the keys that it creates. When left out, the cap of the key that creates it.',
    ),
    may_raise_limits: keyRequest.shape.may_raise_limits.describe('Whether the key may raise caps.'),
  }),
  example: { name: 'my server' },
  output: z.object({ key: keySchema, secret: z.string().describe('The whole API key, shown only once.') }),
  run: async (request, { context, credential }) => {
    const { accountId, keyId } = credential
    const made = await makeKeyAsAsked(context, { accountId, keyId }, request)
    return {
      structured: made,
      text: `Key ${made.key.id} covers ${made.key.scope}. Its secret is ${made.secret}, shown only in this answer. The key ends with the credential that created it. svc.revoke_api_key ends it immediately.`,
    }
  },
})

export const listApiKeysTool = defineTool({
  name: 'list_api_keys',
  title: 'List API keys',
  description:
    'Lists the API keys of the account, without their secrets: names, scopes, last use. Needs the scope all.',
  auth: 'account',
  annotations: lookUp,
  input: strictFields({}),
  example: {},
  output: z.object({ keys: z.array(keySchema).describe('Revoked keys come last.') }),
  run: async (_input, { context, credential }) => {
    const keys = await keysOf(context.db, credential.accountId)
    const good = keys.filter(({ revoked_at }) => revoked_at === undefined)
    const lines = good.map(({ id, name, scope }) => `- ${id}: ${scope}, named ${quoted(name)}`)
    const text = `Not revoked: ${counted(good.length, 'key')}. Next: svc.revoke_api_key revokes a key, svc.create_api_key creates one.`
    return { structured: { keys }, text: [...lines, text].join('\n') }
  },
})

export const revokeApiKeyTool = defineTool({
  name: 'revoke_api_key',
  title: 'Revoke an API key',
  description:
    'Revokes an API key, and every key that it created. After the answer, every request with them is refused. This cannot be undone: ask the user first. Needs the scope all.',
  auth: 'account',
  annotations: replace,
  input: strictFields({ key_id: keyIdArgument }),
  example: { key_id: 'key_…' },
  output: z.object({ key: keySchema }),
  run: async ({ key_id }, { context, credential }) => {
    const key = await revokeKnownKey(context.db, credential.accountId, key_id)
    const own =
      key_id === credential.keyId ? ' It was the key of this request: further requests with it are refused.' : ''
    return { structured: { key }, text: `Key ${key.id} is revoked.${own}` }
  },
})

export const createBillingLinkTool = defineTool({
  name: 'create_billing_link',
  title: 'Get a link to activate or manage billing',
  description:
    'Returns a link with which the owner of the account activates or manages billing. Jobs need active billing when the free credits are used up. Show the link to the user and do not open it yourself. Needs the scope all.',
  auth: 'account',
  annotations: add,
  input: strictFields({}),
  example: {},
  output: z.object({ billing_link: billingLinkSchema }),
  run: async (_input, { context, credential }) => {
    const link = await makeBillingLink(context, credential.accountId)
    return {
      structured: { billing_link: link },
      text: `Ask the owner of the account to open ${link.url} within ${Math.floor(link.expires_in_seconds / 60)} minutes. Next: svc.get_account_limits shows when billing is active.`,
    }
  },
})

export const getAccountLimitsTool = defineTool({
  name: 'get_account_limits',
  title: 'Get what the account can still spend',
  description:
    'Returns the free credits left, the monthly cap and the amount spent of it, whether billing is active, the rate limits, and how much of the storage for uploads is used. Needs the scope all.',
  auth: 'account',
  annotations: lookUp,
  input: strictFields({}),
  example: {},
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

type UsageBody = z.output<typeof usageSchema>

export const getUsageSummaryTool = defineTool({
  name: 'get_usage_summary',
  title: 'Get the usage and cost of jobs',
  description:
    'Returns the number, length and cost of ended jobs, by day, endpoint and key. Without days, covers the current month. Needs the scope all.',
  auth: 'account',
  annotations: lookUp,
  input: strictFields(usageQuery.shape),
  example: { group_by: 'day' },
  output: usageSchema,
  run: async (query, { context, credential }) => {
    const usage = await accountUsage(context.db, credential.accountId, query)
    const { jobs_completed, amount_usd } = usage.total
    const lines = usage.usage.slice(0, listedRows).map(describeRow)
    const text = `From ${usage.from} to ${usage.to}: ${counted(jobs_completed, 'completed job')} for ${amount_usd} USD. Next: svc.get_account_limits for the amount left.`
    return { structured: usage, text: [...lines, text].join('\n') }
  },
})

/** The most rows in the text; the structured content has all. */
const listedRows = 50

function describeRow({ day, endpoint, key_id, key_name, ...counts }: UsageBody['usage'][number]): string {
  const names = [day, endpoint, key_name ?? key_id].filter((name) => name !== undefined && name !== null)
  return `- ${names.join(', ')}: ${counted(counts.jobs_completed, 'completed job')}, ${counts.amount_usd} USD`
}

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
  example: { monthly_cap_usd: 50 },
  output: z.object({ limits: limitsSchema, key: keySchema.optional() }),
  run: async ({ key_id, ...wanted }, { context, credential, requestId }) => {
    if (key_id === undefined) {
      const limits = await setAccountLimits(context, { ...credential, requestId, wanted })
      return { structured: { limits }, text: describeCap('the account', limits) }
    }
    if (wanted.alert_percents)
      throw new ServiceError('invalid_request', 'alert_percents: alerts are of the account. Leave out key_id.')
    const key = await changeKnownKey(context, credential, key_id, { monthly_cap_usd: wanted.monthly_cap_usd })
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
