import { z } from 'zod'
import { type AccountLimits, changeLimits, readLimits } from '../../src/billing/limits.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { fromUsd, toUsd } from '../../src/core/money.ts'
import { slotsOf } from '../../src/jobs/admission.ts'
import { readStoredBytes, storageLimitsOf } from '../../src/uploads/storage-limits.ts'
import type { ApiContext } from '../http/context.ts'
import { accountRoute, amountUsd, bodyErrors, keyErrors, response } from '../http/route.ts'

const percents = z.array(z.int().min(1).max(100)).max(10)

export const limitsSchema = z.object({
  month: z.string().describe('The current month in UTC, YYYY-MM. spent_usd and held_usd are for this month.'),
  monthly_cap_usd: z
    .number()
    .nullable()
    .describe('The maximum that a month can cost, including credits. null: no cap.'),
  alert_percents: percents.describe('Percentages of the cap that cause an alert, each once a month.'),
  spent_usd: z.number().describe('Charged for completed jobs, including amounts that credits covered.'),
  held_usd: z.number().describe('Held for jobs that have not ended.'),
  credits_left_usd: z.number().describe('Free credits that are not held.'),
  billing: z.enum(['inactive', 'active']).describe('inactive: jobs run on free credits only.'),
  takes_payments: z.boolean().describe('Whether billing can become active: a billing link leads there.'),
  concurrency: z.object({
    running_jobs: z
      .int()
      .describe('Jobs that run simultaneously; further jobs wait. The limit is lower while billing is inactive.'),
  }),
  storage: z
    .object({
      stored_bytes: z
        .int()
        .describe(
          'Of uploads, each of which counts at least 64 KiB, also before it arrives. Deleting an upload frees its bytes once it is erased.',
        ),
      max_bytes: z.int().describe('Uploads beyond it are refused. The limit is lower while billing is inactive.'),
    })
    .describe('Uploads. Outputs of jobs do not count.'),
  rates: z.object({ requests_per_minute: z.int() }),
  key: z
    .object({
      monthly_cap_usd: z.number().nullable(),
      may_raise_limits: z.boolean(),
      spent_usd: z.number(),
      held_usd: z.number(),
    })
    .optional()
    .describe(
      'The limits of the key or connector of this request, whose amounts include those of the keys that it created.',
    ),
})

const limitsEnvelope = response('AccountLimits', { limits: limitsSchema })

export const limitsRequest = strictFields({
  monthly_cap_usd: amountUsd
    .nullable()
    .describe('At most six decimals. A lower cap stops new jobs, not running ones. null removes the cap.'),
  alert_percents: percents.optional().describe('Left out: unchanged. []: no alerts.'),
}).meta({ id: 'AccountLimitsRequest', examples: [{ monthly_cap_usd: 50, alert_percents: [50, 80, 100] }] })

/** `GET /v1/account/limits` */
export const getLimitsRoute = accountRoute({
  method: 'GET',
  url: '/v1/account/limits',
  schema: {
    operationId: 'getAccountLimits',
    tags: ['account'],
    summary: 'Get the monthly cap, the amount spent, and the other limits',
    response: { ...keyErrors, 200: limitsEnvelope },
  },
  handler: async (request, { context, account }) => ({
    request_id: request.id,
    limits: await accountLimits(context, account),
  }),
})

/** `PUT /v1/account/limits` */
export const setLimitsRoute = accountRoute({
  method: 'PUT',
  url: '/v1/account/limits',
  schema: {
    operationId: 'setAccountLimits',
    tags: ['account'],
    summary: 'Set the monthly cap and its alerts',
    description:
      'A job is refused, or ends before its work begins, if it would raise the amount spent and held in its month above the cap. The owner of the account gets a mail when the cap is raised. API keys can raise it only with may_raise_limits.',
    body: limitsRequest,
    response: { ...bodyErrors, 200: limitsEnvelope },
  },
  handler: async (request, { context, account }) => {
    const limits = await setAccountLimits(context, {
      ...account,
      requestId: request.id,
      wanted: request.body,
    })
    return { request_id: request.id, limits }
  },
})

type LimitsContext = Pick<ApiContext, 'config' | 'createsByAccount' | 'db' | 'slotLimits'>
type LimitsBody = z.output<typeof limitsSchema>

interface Caller {
  readonly accountId: string
  /** Undefined for the owner's session. */
  readonly keyId?: string | null | undefined
  readonly sessionId?: string | undefined
}

/** What an account, and the key of the request, can spend and have spent, as in responses. */
export async function accountLimits(context: LimitsContext, { accountId, keyId }: Caller): Promise<LimitsBody> {
  return presentLimits(context, await readLimits(context.db, accountId, keyId))
}

interface SetLimitsInput extends Caller {
  readonly requestId: string
  readonly wanted: z.output<typeof limitsRequest>
}

/** Sets cap and alerts. Only owners and keys with the right raise the cap. */
export async function setAccountLimits(context: LimitsContext, input: SetLimitsInput): Promise<LimitsBody> {
  const { accountId, keyId, sessionId, requestId, wanted } = input
  const { monthly_cap_usd: cap, alert_percents: alertPercents } = wanted
  const monthlyCapMicroUsd = cap === null ? null : fromUsd(cap)
  const change = { accountId, keyId, sessionId, monthlyCapMicroUsd, alertPercents, requestId }
  return presentLimits(context, await context.createsByAccount(accountId, () => changeLimits(context.db, change)))
}

async function presentLimits({ config, db, slotLimits }: LimitsContext, limits: AccountLimits): Promise<LimitsBody> {
  const { account, month, captured, held, key } = limits
  const cap = account.monthlyCapMicroUsd
  const { stored, limit } = await readStoredBytes(db, account, storageLimitsOf(config))
  return {
    month,
    monthly_cap_usd: cap === null ? null : toUsd(cap),
    alert_percents: account.alertPercents,
    spent_usd: toUsd(captured),
    held_usd: toUsd(held),
    credits_left_usd: toUsd(account.creditMicroUsd),
    billing: account.billingStatus,
    takes_payments: config.BILLING !== 'inactive',
    concurrency: { running_jobs: slotsOf(account, slotLimits) },
    storage: { stored_bytes: stored, max_bytes: limit },
    rates: { requests_per_minute: config.RATE_LIMIT_PER_ACCOUNT },
    ...(key ? { key: presentKeyLimits(key) } : {}),
  }
}

function presentKeyLimits({
  monthlyCapMicroUsd: cap,
  mayRaiseLimits,
  captured,
  held,
}: NonNullable<AccountLimits['key']>) {
  return {
    monthly_cap_usd: cap === null ? null : toUsd(cap),
    may_raise_limits: mayRaiseLimits,
    spent_usd: toUsd(captured),
    held_usd: toUsd(held),
  }
}
